"""What Python passes for arrays, addresses and functions: rules that are loaded when the first of each is passed."""

from functools import partial

from ..arrays.mdspan import views
from ..later import loaded
from ..types import (
    Array,
    Callback,
    Container,
    Function,
    Matrix,
    Mdspan,
    NdArray,
    Pointer,
    Span,
    Sparse,
    Stream,
)
from ..values.codecs import WHERE, before_addresses, read_descriptors_as
from ..values.conversion.base import RULES
from ..values.reading import READERS
from . import streams
from .addresses import arrays, device_pointers, matrices, ndarrays, sequences, spans, sparse, tensors
from .callbacks import running, sources

RULES.wait(arrays, {Array: "array_rule"})
RULES.wait(running, {Callback: "callback_rule"})
RULES.wait(sequences, {Container: "sequence_rule"})
RULES.wait(sources, {Function: "function_rule"})
RULES.wait(matrices, {Matrix: "matrix_rule"})
RULES.wait(ndarrays, {NdArray: "ndarray_rule"})
RULES.wait(sparse, {Sparse: "sparse_rule"})
RULES.wait(views, {Mdspan: "mdspan_rule"})
RULES.wait(tensors, {Pointer: "tensor_rule"})
RULES.wait(streams, {Stream: "stream_rule"})
RULES.wait(spans, {Span: "span_rule"})
READERS.wait(arrays, {Array: "read_array"})
read_descriptors_as(lambda type_, data, owner: arrays.read_array(type_, data, 0, owner))
WHERE[:] = [device_pointers]
before_addresses(partial(loaded, f"{__package__}.core"))
