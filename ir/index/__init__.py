"""Index expressions: exact integer arithmetic over loop indices, sizes and parameters, kept in a normal form.

Imports nothing of the package. Reading order: `atoms` (dimensions, parameters, applications, products), `expressions` (the
normal form and its arithmetic), `parser` (text), `simplify` (facts proved from the ranges of dimensions and parameters),
`least_values` (from parameters alone), `counterexamples` (points that refute a bound before a proof is tried), `delinearize`
(quotients and remainders as digits of a mixed-radix number).
"""
