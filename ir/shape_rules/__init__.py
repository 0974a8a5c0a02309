"""The shape language: what an operation does to shapes, in one line.

    A[~ i j] B[~ j k] -> C[~ i k]
    X[n] W[k] -> [m] where m = n - k + 1

    rule      := arrays "->" arrays ["where" binding+]
    array     := [name] "[" subscript* "]"
    subscript := "~" | "..." | name | number
    binding   := name "=" expression
    expression: + - * // % over names and numbers, max(...), min(...), and lists such as (n, m)

- A name in brackets is a size. It is determined by the first argument that has it and checked in all others. A name that is
  bound to a list stands for its sizes: with b = (1, 2), `A[b]` is `A[1 2]`.
- `~` is zero or more leading sizes: the same in all arrays if a result has it, else separate ones in each array. `...` is zero
  or more leading sizes too, but they broadcast: they are aligned at the last one, and are equal or 1.
- A name before brackets names an array. A result with the name of an argument shares the argument's memory.

Reading order: `terms` (expressions), `grammar` (the parsed rule), `parser`, `sizes` (unification), `reports`, `inference`,
`rule` (the class that users see).
"""
