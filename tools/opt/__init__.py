"""stepwell-opt: reads IR, runs passes on it, prints the result. Spelled like mlir-opt.

Reading order: `main`, `arguments`, `session`, `expected` (--verify-diagnostics), `listing`.
"""
