"""Numbast's documented configuration and signatures for its example, as its documentation writes them."""

from __future__ import annotations

from typing import Any

INTENTS: dict[str, Any] = {
    "stats_update": {"state": "inout_ptr"},
    "stats_get_mean": {"state": "in", "mean_out": "out_ptr"},
    "stats_update_and_get_zscore": {"state": "inout_ptr", "zscore_out": "out_return"},
    "stats_get_matrix_3x4": {"out": {"intent": "out_array_return", "dtype": "float", "length": 12}},
    "stats_get_vectors": {"out": {"intent": "out_array_return", "dtype": "float4", "length": 3}},
}

# "Generated Python signatures"; the first is what stats_update has without an intent.
SIGNATURES = {
    "without": "signature(void, _type_RunningStats, float32)",
    "stats_update": "signature(void, CPointer(_type_RunningStats), float32)",
    "stats_get_mean": "signature(void, _type_RunningStats, CPointer(float32))",
    "stats_update_and_get_zscore": """signature(
        types.Tuple((bool_, float32)),
        CPointer(_type_RunningStats),
        float32,
    )""",
    "stats_get_matrix_3x4": "signature(UniTuple(float32, 12))",
    "stats_get_vectors": "signature(UniTuple(float32x4, 3))",
}


def signature(text: str, record: Any, vector: Any) -> Any:
    """What one of the documented lines says, with the names that it takes for granted."""
    from numba import types
    from numba.core.typing import signature as made

    names = {
        "signature": made, "types": types, "void": types.void, "CPointer": types.CPointer,
        "UniTuple": types.UniTuple, "bool_": types.boolean, "float32": types.float32,
        "_type_RunningStats": record, "float32x4": vector,
    }  # fmt: skip
    return eval(" ".join(text.split()), names)
