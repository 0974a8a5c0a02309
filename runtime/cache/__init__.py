"""Compiled objects and emitted code on disk, shared by all processes of one user.

Reading order: `disk`, `emitted_code`.
"""
