"""The pass manager: runs a pipeline over a module, verifies after each pass, and reports failures.

After each pass the module is verified; after a lowering it is also searched for operations that the lowering must not leave.
Instruments observe the run (`instruments.py`). Errors of the user pass through; any other exception of a pass is a bug, raised
as an InternalError that names the reproducer written for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import LEVELS
from ...ir.change_detection import State, state_of
from ...ir.debug_counters import PASS_EXECUTION, may_rewrite, rewrites_of
from ...ir.diagnostics import CompileError, InternalError, LegalityError, Note, VerifyError
from ...ir.functions.verification import Verified, verify
from ...ir.gc_control import collection_paused
from ...ir.nesting import operations
from ...ir.rewrite import Recorder, recording
from ...ir.text.parser import parse_file
from .instruments import Instrument, PassRun
from .pipeline import Nest, is_isolated, parse_pipeline
from .registry import OperationPass, Registry, illegal_after, is_foreign
from .reproducer import CrashReproducer
from .xdsl_passes import apply_foreign


class PassManager:
    """A pipeline, ready to run on modules. A CrashReproducer among the instruments writes a reproducer when a pass fails.
    Managers that run on one module in turn can share what they found valid (`verified`)."""

    def __init__(
        self,
        pipeline: Nest | Sequence[ModulePass],
        ctx: Context,
        verify_each: bool = True,
        instruments: Iterable[Instrument] = (),
        verified: Verified | None = None,
    ):
        self.pipeline = pipeline if isinstance(pipeline, Nest) else Nest(ModuleOp.name, tuple(pipeline))
        self.ctx = ctx
        self.verify_each = verify_each
        self.instruments = tuple(instruments)
        self._reproducer = next((each for each in self.instruments if isinstance(each, CrashReproducer)), None)
        self._verified = verified or Verified()
        self._state: State = ()
        self._records = any(instrument.needs_recorder for instrument in self.instruments)

    @classmethod
    def parse(
        cls,
        text: str,
        ctx: Context,
        registry: Registry,
        verify_each: bool = True,
        instruments: Iterable[Instrument] = (),
        verified: Verified | None = None,
    ) -> PassManager:
        """The manager of a textual pipeline. Raises PipelineError."""
        return cls(parse_pipeline(text, registry), ctx, verify_each, instruments, verified)

    def run(self, module: ModuleOp) -> None:
        """Run the pipeline on `module`, in place.

        Raises VerifyError for a module that is invalid before the first pass, the CompileError of a pass, and InternalError for
        any other failure of a pass, invalid IR included.
        """
        if self.verify_each:
            self._state = state_of(operations(module), self._verified.state)
            if self._state is not self._verified.state:
                verify(module, self._verified, self._state)
        for instrument in self.instruments:
            instrument.start(self.pipeline, module)
        with collection_paused():
            self._run_nest(self.pipeline, module, module, ())

    def _run_nest(self, nest: Nest, op: Operation, module: ModuleOp, indices: tuple[int, ...]) -> None:
        for index, element in enumerate(nest.elements):
            here = (*indices, index)
            if not isinstance(element, Nest):
                self._run_pass(element, op, module, here)
                continue
            for inner in _operations_for(element, op):
                for instrument in self.instruments:
                    instrument.enter(element, here)
                self._run_nest(element, inner, module, here)
                for instrument in reversed(self.instruments):
                    instrument.leave(element)

    def _run_pass(self, pass_: ModulePass, op: Operation, module: ModuleOp, indices: tuple[int, ...]) -> None:
        run = PassRun(pass_, op, module, indices, Recorder() if self._records else None)
        for instrument in self.instruments:
            instrument.before(run)
        try:
            _check_level(run)
            with rewrites_of(pass_.name):
                if may_rewrite(op, PASS_EXECUTION):
                    self._apply(run)
                    _check_legal(run)
            if self.verify_each or self._records:
                run = replace(run, state=state_of(operations(module), self._state))
            if self.verify_each and run.state is not self._state:
                _verify_result(run, self._verified)
            self._state = run.state
        except CompileError as error:
            self._fail(run, error)
            raise
        except (Exception, SystemExit) as error:
            if isinstance(error, DiagnosticException) or (isinstance(error, ValueError) and is_foreign(pass_)):
                # xDSL's passes also raise this when an external program that they run is missing.
                failure = CompileError(f"pass '{pass_.name}': {_first_line(error)}", op.location)
                self._fail(run, failure)
                raise failure from error
            # Any other exception of a pass is a bug of the compiler: report it, with a reproducer.
            failure = InternalError(f"pass '{pass_.name}' failed: {type(error).__name__}: {_first_line(error)}")
            self._fail(run, failure)
            raise failure from error
        for instrument in reversed(self.instruments):
            instrument.after(run)

    def _apply(self, run: PassRun) -> None:
        if run.recorder is None:
            _apply(run, self.ctx)
            return
        with recording(run.recorder):
            _apply(run, self.ctx)

    def _fail(self, run: PassRun, error: CompileError) -> None:
        for instrument in reversed(self.instruments):
            instrument.failed(run)
        if self._reproducer is None or not (self._reproducer.for_all or isinstance(error, InternalError)):
            return
        path = self._reproducer.write(run, self._rerun)
        if isinstance(error, InternalError):
            error.reproducer = path
        error.notes += (Note(f"reproducer written to '{path}'"),)

    def _rerun(self, text: str, instrument: Instrument) -> None:
        module = parse_file(text, self.ctx, "reproducer").module
        PassManager(self.pipeline, self.ctx, verify_each=False, instruments=(instrument,)).run(module)


def _apply(run: PassRun, ctx: Context) -> None:
    if is_foreign(run.pass_):
        apply_foreign(run.pass_, ctx, run.module)
    elif isinstance(run.pass_, OperationPass):
        run.pass_.apply_to(ctx, run.op)
    else:
        run.pass_.apply(ctx, run.module)


def _operations_for(nest: Nest, op: Operation) -> list[Operation]:
    """The operations directly inside `op` that a nest runs on. Raises CompileError, as MLIR does, for an operation that is not
    isolated from above: a pass on it could change operations around it."""
    inner = (inner for region in op.regions for block in region.blocks for inner in block.ops)
    found = [each for each in inner if nest.matches(each)]
    for each in found:
        if not is_isolated(each):
            raise CompileError(
                f"'{each.name}': expected an operation isolated from above, for passes to run on it", each.location
            )
    return found


def _check_level(run: PassRun) -> None:
    """Raise LegalityError for operations above the level that a lowering starts from: the lowering would skip them.

    Operations below that level are allowed, so that a whole pipeline can run on a module that is lowered in part.
    """
    illegal = illegal_after(run.pass_)
    if not illegal:
        return
    level = next((name for name in LEVELS if name in illegal), LEVELS[0])
    above = LEVELS[: LEVELS.index(level)]
    ops = operations(run.op)
    found = next((op for op in ops if op.name.partition(".")[0] in above), None)
    if found is None and "uop" in above:
        found = next((op for op in ops if _is_on_tensors(op)), None)
    if found is not None:
        message = f"'{found.name}' is above the level '{level}' that '{run.pass_.name}' lowers from"
        raise LegalityError(message, found.location)


def _is_on_tensors(op: Operation) -> bool:
    """Whether an operation is a function of tensors, which the loop level and lower levels do not have."""
    return isinstance(op, FuncOp) and any(isinstance(each, TensorType) for each in op.function_type.inputs)


def _check_legal(run: PassRun) -> None:
    illegal = illegal_after(run.pass_)
    for op in operations(run.op) if illegal else ():
        if op.name in illegal or op.name.partition(".")[0] in illegal:
            wanted = ", ".join(f"'{name}'" for name in illegal)
            raise LegalityError(f"'{op.name}': left over by '{run.pass_.name}', expected none of {wanted}", op.location)


def _verify_result(run: PassRun, verified: Verified) -> None:
    try:
        verify(run.module, verified, run.state)
    except VerifyError as error:
        message = f"pass '{run.pass_.name}' made invalid IR: {error.message}"
        raise InternalError(message, error.location, error.notes) from error


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "no message")
