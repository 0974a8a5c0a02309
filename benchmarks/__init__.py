"""Stepwell beside the libraries that people would use instead: one process each, timed in turn, checked against float64.

Run from the root of the repository: `python -m benchmarks`, or a part of it as in
`python -m benchmarks --only softmax,rowsum --peers numpy,torch --threads 1 --repeats 15`. The peers are the extra `bench`.
"""
