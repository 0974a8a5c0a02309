"""Dead code elimination in kernels: unused values, and temporaries that no kernel reads."""

from __future__ import annotations

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.traits import SymbolTable, is_side_effect_free

from ...dialects import tile
from ...ir.rewrite import erase, replace


def remove_unused(body: Block) -> None:
    """Erase operations without uses that only compute or load."""
    for op in reversed(list(body.ops)):
        for region in op.regions:
            remove_unused(region.block)
        idle = is_side_effect_free(op) or isinstance(op, tile.LoadOp)
        if idle and op.results and not any(result.uses for result in op.results):
            erase(op)


def remove_dead_temporaries(module: ModuleOp) -> None:
    """Erase temporaries that kernels only store to, and the stores: kernels that read the values have them in registers."""
    for op in list(module.walk()):
        if isinstance(op, tile.AllocOp):
            _remove_if_unread(op)
    for op in module.body.block.ops:
        if isinstance(op, FuncOp) and "sw.kernel" in op.attributes:
            _remove_idle_barriers(op.body.block)


def _remove_if_unread(alloc: tile.AllocOp) -> None:
    launches = [use.operation for use in alloc.result.uses]
    arguments: list[BlockArgument] = []
    for launch in launches:
        if not isinstance(launch, tile.LaunchOp):
            return
        kernel = kernel_of(launch)
        arguments += [kernel.body.block.args[k] for k, each in enumerate(launch.buffers) if each is alloc.result]
    stores = [use.operation for argument in arguments for use in argument.uses]
    if not all(isinstance(op, tile.StoreOp) for op in stores):
        return
    for op in stores:
        erase(op)
    for launch in launches:
        assert isinstance(launch, tile.LaunchOp), "only launches use it"
        _drop_argument(launch, alloc.result)
    erase(alloc)


def _drop_argument(launch: tile.LaunchOp, buffer: SSAValue) -> None:
    kernel = kernel_of(launch)
    kept = [each for each in launch.buffers if each is not buffer]
    for argument, each in list(zip(kernel.body.block.args, launch.buffers, strict=True)):
        if each is buffer:
            kernel.body.block.erase_arg(argument)
    kernel.function_type = FunctionType.from_lists([each.type for each in kept], [])
    remove_unused(kernel.body.block)
    name, conditions = kernel.sym_name.data, launch.conditions
    warps, stages = launch.warps.value.data, launch.stages.value.data
    replace(launch, [tile.LaunchOp(name, launch.programs, warps, stages, kept, conditions)])


def kernel_of(launch: tile.LaunchOp) -> FuncOp:
    """The function that a launch runs."""
    found = SymbolTable.lookup_symbol(launch, launch.kernel)
    assert isinstance(found, FuncOp), "launches name kernels"
    return found


def _remove_idle_barriers(body: Block) -> None:
    """Erase the barriers of a kernel that loads nothing that it stores. Loads of a joined block do not count: it runs after all
    stores."""
    ops = list(body.walk())
    stored = {op.buffer for op in ops if isinstance(op, tile.StoreOp)}
    loads = [op for op in ops if isinstance(op, tile.LoadOp) and not isinstance(op.parent_op(), tile.FinishOp)]
    if not any(load.buffer in stored for load in loads):
        for op in ops:
            if isinstance(op, tile.BarrierOp):
                erase(op)
