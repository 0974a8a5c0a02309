"""`import stepwell.torch` gives the module `frontend/torch/public.py`."""

import sys
from importlib import import_module

sys.modules[__name__] = import_module("stepwell.frontend.torch.public")
