"""Stepwell beside the libraries that people would use instead. Each runs in one process; they are timed in turn and checked
against float64.

Run from the root of the repository: `python -m benchmarks`, or a part of it as in
`python -m benchmarks --only softmax,rowsum --peers numpy,torch --threads 1 --repeats 15`. The peers are the extra `bench`.
"""
