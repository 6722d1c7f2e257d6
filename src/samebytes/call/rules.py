"""What Python passes for arrays, addresses and functions: rules that are loaded when the first of each is passed."""

from functools import partial

from ..arrays.mdspan import views
from ..later import loaded
from ..types import Array, Callback, Container, Function, Mdspan, Pointer, Span
from ..values.codecs import before_addresses, read_descriptors_as
from ..values.conversion.base import RULES
from ..values.reading import READERS
from .addresses import arrays, sequences, spans, tensors
from .callbacks import running, sources

RULES.wait(Array, arrays, "array_rule")
RULES.wait(Callback, running, "callback_rule")
RULES.wait(Container, sequences, "sequence_rule")
RULES.wait(Function, sources, "function_rule")
RULES.wait(Mdspan, views, "mdspan_rule")
RULES.wait(Pointer, tensors, "tensor_rule")
RULES.wait(Span, spans, "span_rule")
READERS.wait(Array, arrays, "read_array")
read_descriptors_as(lambda type_, data, owner: arrays.read_array(type_, data, 0, owner))
before_addresses(partial(loaded, f"{__package__}.core"))
