"""What the parser is told where the C++ library is LLVM's: words that only newer Clangs know, and plain names."""

from __future__ import annotations

import os
from collections.abc import Iterable

# The argument as 128 bits, and its halves. The words stand for unsigned numbers of up to so many bits.
_WIDE = "((unsigned __int128)(x))"
_HIGH, _LOW = f"((unsigned long long)({_WIDE} >> 64))", f"((unsigned long long){_WIDE})"
_OTHERWISE = "(int)(0 __VA_OPT__(+ __VA_ARGS__))"  # what a word's second argument gives for zero
_ABOVE = "(128 - 8 * (int)sizeof(x))"  # leading zeros that only the wider type has

# Else clang calls an instantiation by an alias, std::string, that does not say which template it is of.
_PLAIN = {"__preferred_name__(x)": ""}

# Clang 19 and 20 brought them. libc++ asks for most words by __has_builtin, but supports no Clang older than its last
# two and uses these outright. A layout that rests on one is proven by the compiler as all others are.
_NEWER = {
    "__builtin_clzg(x, ...)": f"({_WIDE} == 0 ? {_OTHERWISE} : (({_HIGH} ? __builtin_clzll({_HIGH})"
    f" : 64 + __builtin_clzll({_LOW})) - {_ABOVE}))",
    "__builtin_ctzg(x, ...)": f"({_WIDE} == 0 ? {_OTHERWISE} : ({_LOW} ? __builtin_ctzll({_LOW})"
    f" : 64 + __builtin_ctzll({_HIGH})))",
    "__builtin_popcountg(x)": f"(__builtin_popcountll({_LOW}) + __builtin_popcountll({_HIGH}))",
    "__is_nothrow_convertible(f, t)": "(__is_convertible_to(f, t)"
    " && (__is_void(t) || __is_nothrow_constructible(t, f)))",
    "__reference_converts_from_temporary(t, u)": "(__reference_binds_to_temporary(t, u)"
    " && __is_convertible_to(u, t))",
    # What Clang takes for x86-64.
    "__GCC_DESTRUCTIVE_SIZE": "64",
    "__GCC_CONSTRUCTIVE_SIZE": "64",
}


def libcxx_words(system_includes: Iterable[str]) -> list[str]:
    """Macros as ``-D`` flags; none for other libraries, which may have such names for something else."""
    if not any(os.path.isfile(os.path.join(folder, "__config")) for folder in system_includes):
        return []
    return [f"-D{word}={meaning}" for word, meaning in {**_PLAIN, **_NEWER}.items()]
