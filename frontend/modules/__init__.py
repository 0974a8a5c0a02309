"""Public modules that are imported by their own name, as `import stepwell.torch`. The package searches this folder too.

They are not attributes of the repository's root: a file `torch.py` there would hide the package torch.
"""
