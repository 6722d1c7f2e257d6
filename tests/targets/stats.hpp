// The C++ of Numbast's "Argument intents", with bodies; one header for all three targets.
#pragma once

struct RunningStats {
  int count;
  float sum;
  float sum_sq;
};

__device__ void stats_update(RunningStats& state, float x) {
  state.count += 1;
  state.sum += x;
  state.sum_sq += x * x;
}

__device__ void stats_get_mean(const RunningStats& state, float& mean_out) {
  mean_out = state.count ? state.sum / state.count : 0.0f;
}

// The score here is the distance to the new mean: enough to see that both results arrive.
__device__ bool stats_update_and_get_zscore(RunningStats& state, float x, float& zscore_out) {
  stats_update(state, x);
  zscore_out = x - state.sum / state.count;
  return state.count > 1;
}

__device__ void stats_get_matrix_3x4(float out[3][4]) {
  for (int row = 0; row < 3; ++row)
    for (int col = 0; col < 4; ++col) out[row][col] = 10.0f * row + col;
}

__device__ void stats_get_vectors(float4 out[3]) {
  for (int i = 0; i < 3; ++i) {
    out[i].x = i;
    out[i].y = i + 0.25f;
    out[i].z = i + 0.5f;
    out[i].w = i + 0.75f;
  }
}
