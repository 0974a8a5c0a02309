"""`stepwell.torch.explain`: which parts of a model are compiled."""

from __future__ import annotations

from typing import Any

from .backend import stepwell
from .report import Report, reporting


def explain(model: Any, *args: Any, backward: bool = False, **kwargs: Any) -> Report:
    """Compile a model, call it once on these arguments, and report the number of graphs, of compiled programs and of operations
    in them, and the operations left to eager with the reasons.

    With `backward`, the sum of its results that require gradients is differentiated too. Models that torch had compiled before
    in this process are compiled again. Raises ValueError where there are no such results.
    """
    import torch
    from torch.utils import _pytree as pytree

    torch._dynamo.reset()
    with reporting() as report:
        found = torch.compile(model, backend=stepwell)(*args, **kwargs)
        if backward:
            leaves = pytree.tree_leaves(found)
            wanted = [each for each in leaves if isinstance(each, torch.Tensor) and each.requires_grad]
            if not wanted:
                raise ValueError("explain(backward=True): no result requires a gradient: do the arguments or parameters?")
            torch.autograd.backward([(torch.view_as_real(each) if each.is_complex() else each).sum() for each in wanted])
    torch._dynamo.reset()
    return report
