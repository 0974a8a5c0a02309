"""The table of ATen operations: each is one row that names the library's function that computes it.

Reading order: `row` says what a row is, `table` collects the rows of the other files.
"""
