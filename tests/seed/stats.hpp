// The C++ of Numbast's chapter "Argument intents", with bodies.
#pragma once

struct RunningStats {
  int count;
  float sum;
  float sum_sq;
};

/// Adds one number.
__device__ inline void stats_update(RunningStats &state, float x) {
  state.count += 1;
  state.sum += x;
  state.sum_sq += x * x;
}

/// The mean of all numbers so far.
__device__ inline void stats_get_mean(const RunningStats &state, float &mean_out) {
  mean_out = state.sum / static_cast<float>(state.count);
}

/// Adds one number, and says how far it is from the mean before; false while that is not known.
__device__ inline bool stats_update_and_get_zscore(RunningStats &state, float x, float &zscore_out) {
  const bool known = state.count > 0;
  zscore_out = known ? x - state.sum / static_cast<float>(state.count) : 0.0f;
  stats_update(state, x);
  return known;
}

__device__ inline void stats_get_matrix_3x4(float out[3][4]) {
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) out[row][column] = static_cast<float>(10 * row + column);
}

__device__ inline void stats_get_vectors(float4 out[3]) {
  for (int i = 0; i < 3; ++i) {
    const float x = static_cast<float>(i);
    out[i] = make_float4(x, x + 0.25f, x + 0.5f, x + 0.75f);
  }
}
