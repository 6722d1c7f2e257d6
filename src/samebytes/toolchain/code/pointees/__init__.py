"""What functions do where their arguments point to, by an abstract interpretation of their code.

A value is a set of what it may be (:mod:`.values`), a state says what registers and the stack hold (:mod:`.state`), and
each instruction changes it (:mod:`.transfer`). What is learnt holds on every path that the code has, and what is not
understood is said to be anything.
"""
