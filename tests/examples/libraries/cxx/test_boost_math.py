"""Boost.Math: function templates, instantiated by calls; what is outside of a domain is an exception."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

PROGRAM = r"""
#include <boost/math/special_functions/gamma.hpp>
int main() {
  tell(boost::math::tgamma(4.5)); tell(boost::math::gamma_p(2.0, 1.0)); tell(boost::math::tgamma(3));
  try { boost::math::tgamma(-1.0); } catch (const std::exception& e) { tell(e.what()); }
}
"""


def test_gamma(needs: Any, agree: Any) -> None:
    needs("boost/math/special_functions/gamma.hpp", "libboost-dev")
    names = ["boost::math::tgamma", "boost::math::gamma_p"]
    calls = [
        "boost::math::tgamma(double)",
        "boost::math::gamma_p(double, double)",
        "boost::math::tgamma(int)",
    ]
    math = sb.bind("boost/math/special_functions/gamma.hpp", expose=names, instantiate=calls).boost.math
    values = [math.tgamma(4.5), math.gamma_p(2.0, 1.0), math.tgamma(3)]
    with pytest.raises(RuntimeError) as refused:
        math.tgamma(-1.0)
    agree([*values, str(refused.value)], PROGRAM)
