"""QuantLib: an option's price; the singleton with the evaluation date is one, here and in the library."""

from __future__ import annotations

from typing import Any

import samebytes as sb

SOURCE = r"""
#include <ql/exercise.hpp>
#include <ql/instruments/europeanoption.hpp>
#include <ql/pricingengines/vanilla/analyticeuropeanengine.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/target.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>
using namespace QuantLib;
inline double price(double spot, double strike, double rate, double volatility, int days) {
  Date today(15, May, 2024);
  Settings::instance().evaluationDate() = today;
  DayCounter count = Actual365Fixed();
  Handle<Quote> quote(ext::make_shared<SimpleQuote>(spot));
  Handle<YieldTermStructure> curve(ext::make_shared<FlatForward>(today, rate, count));
  Handle<BlackVolTermStructure> surface(ext::make_shared<BlackConstantVol>(today, TARGET(), volatility, count));
  EuropeanOption option(ext::make_shared<PlainVanillaPayoff>(Option::Call, strike),
                        ext::make_shared<EuropeanExercise>(today + days));
  auto process = ext::make_shared<BlackScholesProcess>(quote, curve, surface);
  option.setPricingEngine(ext::make_shared<AnalyticEuropeanEngine>(process));
  return option.NPV();
}
"""
PROGRAM = "int main() { tell(price(100, 100, .05, .2, 365)); tell(price(90, 100, .01, .3, 30)); }"


def test_an_option(needs: Any, agree: Any) -> None:
    needs("ql/settings.hpp", "libquantlib0-dev", "QuantLib")
    lib = sb.compile(SOURCE, libraries=["QuantLib"])
    prices = [lib.price(100, 100, 0.05, 0.2, 365), lib.price(90, 100, 0.01, 0.3, 30)]
    assert prices[0] > 10
    agree(prices, SOURCE + PROGRAM, "-lQuantLib")
