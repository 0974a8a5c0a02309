// RUN: stepwell-opt %s -p loop-vectorize | filecheck %s

// Inside vectors small loops are written out, from the innermost outwards, while there are no more than 49 copies.
// CHECK-LABEL: func.func @windows
// CHECK: loop.for "unroll" <() -> (0, 16)> step 16
// CHECK: loop.for "vector" <() -> (0, 16)>
// CHECK: loop.for "reduction" <() -> (0, 8)>
// CHECK: loop.for "unroll" <() -> (0, 8)>
func.func @windows(%x: memref<8x8x16xf32>, %y: memref<16xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, 16)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %s = loop.for "reduction" <() -> (0, 8)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%j: index, %a: f32):
        %t = loop.for "reduction" <() -> (0, 8)> step 1 carry(%a : f32) -> f32 {
        ^bb2(%k: index, %b: f32):
          %v = loop.load %x[%j, %k, %i] <(d0, d1, d2) -> (d0, d1, d2)> : (memref<8x8x16xf32>, index, index, index) -> f32
          %c = loop.compute "add"(%b, %v) : (f32, f32) -> f32
          loop.yield %c : f32
        }
        loop.yield %t : f32
      }
      loop.store %s into %y[%i] <(d0) -> (d0)> : f32, memref<16xf32>, index
      loop.yield
    }
  }
  func.return
}
