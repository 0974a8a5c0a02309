"""The table of ATen operations: each is one row that names the library's function that computes it.

Reading order: `row` says what a row is; `parts` and `host_kernels` are shared by the rows of the other files, which can be
read in any order; `table` collects the rows.
"""
