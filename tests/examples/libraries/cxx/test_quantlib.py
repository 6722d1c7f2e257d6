"""QuantLib: an option's price, of its own classes alone."""

from __future__ import annotations

from typing import Any

import pytest

import samebytes as sb

pytestmark = pytest.mark.full  # a large library

HEADERS = (
    "exercise", "instruments/europeanoption", "instruments/payoffs", "quotes/simplequote",
    "processes/blackscholesprocess",
    "pricingengines/vanilla/analyticeuropeanengine", "termstructures/volatility/equityfx/blackconstantvol",
    "termstructures/yield/flatforward", "time/calendars/target", "time/daycounters/actual365fixed",
)  # fmt: skip
# Declared beside what those files are named after.
BESIDE = (
    "handle",
    "instrument",
    "option",
    "time/date",
    "instruments/oneassetoption",
    "instruments/vanillaoption",
)
INCLUDES = "".join(f"#include <ql/{name}.hpp>\n" for name in HEADERS)
PROGRAM = r"""
using namespace QuantLib;
double price(double spot, double strike, double rate, double volatility, int days) {
  Date today(15, May, 2124);
  DayCounter count = Actual365Fixed();
  Handle<Quote> quote(ext::make_shared<SimpleQuote>(spot));
  Handle<YieldTermStructure> curve(ext::make_shared<FlatForward>(today, rate, count));
  Handle<BlackVolTermStructure> surface(ext::make_shared<BlackConstantVol>(today, TARGET(), volatility, count));
  EuropeanOption option(ext::make_shared<PlainVanillaPayoff>(Option::Call, strike),
                        ext::make_shared<EuropeanExercise>(today + days));
  option.setPricingEngine(ext::make_shared<AnalyticEuropeanEngine>(
      ext::make_shared<BlackScholesProcess>(quote, curve, surface)));
  return option.NPV();
}
int main() { tell(price(100, 100, .05, .2, 365)); tell(price(90, 100, .01, .3, 30)); }
"""


def price(ql: Any, spot: float, strike: float, rate: float, volatility: float, days: int) -> float:
    today, count = ql.Date(15, ql.May, 2124), ql.Actual365Fixed()
    quote = ql.Handle["QuantLib::Quote"](ql.SimpleQuote(spot))
    curve = ql.Handle["QuantLib::YieldTermStructure"](ql.FlatForward(today, rate, count))
    surface = ql.Handle["QuantLib::BlackVolTermStructure"](
        ql.BlackConstantVol(today, ql.TARGET(), volatility, count)
    )
    option = ql.EuropeanOption(
        ql.PlainVanillaPayoff(ql.Option.Call, strike), ql.EuropeanExercise(today + days)
    )
    option.setPricingEngine(ql.AnalyticEuropeanEngine(ql.BlackScholesProcess(quote, curve, surface)))
    return float(option.NPV())


def test_an_option(needs: Any, agree: Any) -> None:
    needs("ql/settings.hpp", "libquantlib0-dev", "QuantLib")
    expose = [f"*/ql/{name}.hpp" for name in (*HEADERS, *BESIDE)]
    lib = sb.compile(INCLUDES, expose=expose, libraries=["QuantLib"], name="quantlib")
    ql = lib.QuantLib
    prices = [price(ql, 100, 100, 0.05, 0.2, 365), price(ql, 90, 100, 0.01, 0.3, 30)]
    assert prices[0] > 10
    agree(prices, INCLUDES + PROGRAM, "-lQuantLib")
