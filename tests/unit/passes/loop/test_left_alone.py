"""Programs that passes must leave alone: on the loop level, run by the interpreter before and after passes, and compiled."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from stepwell.dialects import make_context
from stepwell.ir.functions.entry import entry_function, input_count
from stepwell.ir.text.parser import parse_module
from stepwell.ir.types.dtypes import dtype_of
from stepwell.ir.types.shapes import element_of, shape_of
from stepwell.lowering import all_passes
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.runtime.executable import compile_module
from stepwell.runtime.interpret.loop import run_loops

Array = Any

# A sum of products that does not start from 0.
PRODUCT_ONTO = """
func.func @main(%a: memref<17x2xf32>, %b: memref<2x4xf32>, %y: memref<17x4xf32>)
    attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 17)> step 1 {
    ^i(%i: index):
      loop.for "parallel" <() -> (0, 4)> step 1 {
      ^j(%j: index):
        %s = loop.constant 5.0 : f32
        %r = loop.for "reduction" <() -> (0, 2)> step 1 carry(%s : f32) -> f32 {
        ^k(%k: index, %acc: f32):
          %va = loop.load %a[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<17x2xf32>, index, index) -> f32
          %vb = loop.load %b[%j, %k] <(d0, d1) -> (d1, d0)> : (memref<2x4xf32>, index, index) -> f32
          %m = loop.compute "mul"(%va, %vb) : (f32, f32) -> f32
          %nx = loop.compute "add"(%acc, %m) : (f32, f32) -> f32
          loop.yield %nx : f32
        }
        loop.store %r into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<17x4xf32>, index, index
        loop.yield
      }
      loop.yield
    }
  }
  func.return
}
"""

# Each element takes a branch of its own.
BRANCHES = """
func.func @main(%x: memref<40xf32>, %y: memref<40xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 40)> step 1 {
    ^i(%j: index):
      %v = loop.load %x[%j] <(d0) -> (d0)> : (memref<40xf32>, index) -> f32
      loop.if [%j : index] <(d0) -> (d0 mod 3 - 1)> {
        loop.store %v into %y[%j] <(d0) -> (d0)> : f32, memref<40xf32>, index
      } else {
        %w = loop.compute "add"(%v, %v) : (f32, f32) -> f32
        loop.store %w into %y[%j] <(d0) -> (d0)> : f32, memref<40xf32>, index
      }
      loop.yield
    }
  }
  func.return
}
"""

# The length of a sum is data, and differs between elements.
RAGGED = """
func.func @main(%x: memref<40xf32>, %n: memref<40xi64>, %y: memref<40xf32>) attributes {sw.params = [], sw.inputs = 2 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 40)> step 1 {
    ^i(%j: index):
      %e = loop.load %n[%j] <(d0) -> (d0)> : (memref<40xi64>, index) -> i64
      %v = loop.load %x[%j] <(d0) -> (d0)> : (memref<40xf32>, index) -> f32
      %s = loop.for "reduction" [%e : i64] <(d0) -> (0, d0)> step 1 carry(%v : f32) -> f32 {
      ^k(%k: index, %acc: f32):
        %nx = loop.compute "add"(%acc, %v) : (f32, f32) -> f32
        loop.yield %nx : f32
      }
      loop.store %s into %y[%j] <(d0) -> (d0)> : f32, memref<40xf32>, index
      loop.yield
    }
  }
  func.return
}
"""

# `%t` is computed from the elements of `%y` before these are overwritten.
WRITTEN_BETWEEN = """
func.func @main(%x: memref<6xf32>, %y: memref<6xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<6xf32>
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^a(%i: index):
      %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<6xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^b(%i: index):
      %v = loop.load %y[%i] <(d0) -> (d0)> : (memref<6xf32>, index) -> f32
      %w = loop.compute "add"(%v, %v) : (f32, f32) -> f32
      loop.store %w into %t[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      loop.yield
    }
  }
  loop.block {
    loop.for "parallel" <() -> (0, 6)> step 1 {
    ^c(%i: index):
      %v = loop.load %t[%i] <(d0) -> (5 - d0)> : (memref<6xf32>, index) -> f32
      loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<6xf32>, index
      loop.yield
    }
  }
  func.return
}
"""

# Each row reads the elements of `%t` that earlier rows have left.
BELOW_A_BRANCH = """
func.func @main(%x: memref<4x5xf32>, %y: memref<4x5xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  %t = loop.alloc : memref<5xf32>
  loop.block {
    loop.for "sequential" <() -> (0, 4)> step 1 {
    ^a(%i: index):
      loop.if [%i : index] <(d0) -> (4 - d0)> {
        loop.for "parallel" <() -> (0, 5)> step 1 {
        ^b(%j: index):
          %z = loop.constant 0.0 : f32
          loop.store %z into %t[%j, %i] <(d0, d1) -> (d0)> guard <(d0, d1) -> (0 - d1)> : f32, memref<5xf32>, index, index
          %a = loop.load %t[%j] <(d0) -> (d0)> : (memref<5xf32>, index) -> f32
          %v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1)> : (memref<4x5xf32>, index, index) -> f32
          %s = loop.compute "add"(%a, %v) : (f32, f32) -> f32
          loop.store %s into %t[%j] <(d0) -> (d0)> : f32, memref<5xf32>, index
          loop.store %s into %y[%i, %j] <(d0, d1) -> (d0, d1)> : f32, memref<4x5xf32>, index, index
          loop.yield
        }
      }
      loop.yield
    }
  }
  func.return
}
"""

CASES = {
    "products-onto": (PRODUCT_ONTO, "loop-tile-contractions"),
    "branches": (BRANCHES, "loop-vectorize"),
    "ragged-sums": (RAGGED, "loop-vectorize"),
    "written-between": (WRITTEN_BETWEEN, "loop-inline"),
    "below-a-branch": (BELOW_A_BRANCH, "loop-contract-buffers"),
}


def arrays_for(text: str) -> tuple[list[Array], int]:
    """Small whole numbers for all arguments, so that sums are exact in any order; and the number of inputs."""
    function = entry_function(parse_module(text, make_context()))
    random = np.random.default_rng(0)
    shapes = [[int(str(size)) for size in shape_of(arg)] for arg in function.body.block.args]
    dtypes = [dtype_of(element_of(arg)).name for arg in function.body.block.args]
    inputs = input_count(function)
    assert inputs is not None, "buffers, not tensors"
    return [random.integers(0, 9, shape).astype(dtype) for shape, dtype in zip(shapes, dtypes, strict=True)], inputs


def interpreted(text: str, passes: str, arrays: Sequence[Array]) -> list[Array]:
    ctx = make_context()
    module = parse_module(text, ctx)
    PassManager.parse(passes, ctx, all_passes()).run(module)
    copies = [each.copy() for each in arrays]
    run_loops(entry_function(module), copies, {})
    return copies


@pytest.mark.parametrize("name", CASES)
def test_what_passes_leave_alone_means_the_same(name: str):
    text, passes = CASES[name]
    arrays, inputs = arrays_for(text)
    expected = interpreted(text, "", arrays)[inputs:]
    compiled = [np.asarray(each) for each in compile_module(text).run(arrays[:inputs], {})]
    for found in (interpreted(text, passes, arrays)[inputs:], compiled):
        for result, wanted in zip(found, expected, strict=True):
            np.testing.assert_array_equal(result, wanted)
