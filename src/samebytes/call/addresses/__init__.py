"""Arguments that are addresses: arrays and pointers. Importing it registers their rules of conversion."""

from .. import callbacks as callbacks
from . import invalidated as invalidated
from .arrays import array_rule, read_array
from .pointers import pointer_rule
from .sequences import sequence_rule
from .spans import span_rule
from .tensors import tensor_rule

__all__ = ["array_rule", "pointer_rule", "read_array", "sequence_rule", "span_rule", "tensor_rule"]
