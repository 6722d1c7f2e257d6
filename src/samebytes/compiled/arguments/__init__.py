"""How arguments of compiled calls serve parameters of C++: a rule for each kind of type."""
