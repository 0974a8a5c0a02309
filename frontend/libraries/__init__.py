"""Functions that libraries of the host compute, called by compiled programs: linear algebra by LAPACK, Fourier transforms by
pocketfft, both through NumPy. Each has a rule of shapes and a derivative.

Reading order: `host_operations`, `linalg`, `fft`, `sorting`. Imports `frontend/nodes` and `frontend/functions`.
"""
