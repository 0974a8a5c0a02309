// RUN: stepwell-opt %s -p 'lower-uop-to-loop{accumulate=float32},loop-inline,loop-tile-contractions{rows=4 vectors=2 bytes=16}' --split-input-file | filecheck %s

// The last tile of 20 columns has four of them, in one of its two vectors.
// CHECK-LABEL: func.func @few_in_the_last
// CHECK: loop.if[%{{.*}}] <(d0, d1) -> (-d0 * 8 - d1 * 8 + 15)> {
// CHECK: loop.for "reduction"
// CHECK: loop.for "unroll" <() -> (0, 2)> step 1 {
// CHECK: } else {
// CHECK: loop.for "reduction"
// CHECK: loop.for "unroll" <() -> (0, 1)> step 1 {
func.func @few_in_the_last(%a: tensor<?x?xf32, #sw.shape<[m, k]>>, %b: tensor<?x20xf32, #sw.shape<[k, 20]>>) -> tensor<?x20xf32, #sw.shape<[m, 20]>> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[m, k]>>) -> tensor<?x20x?xf32, #sw.shape<[m, 20, k]>>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<?x20xf32, #sw.shape<[k, 20]>>) -> tensor<?x20x?xf32, #sw.shape<[m, 20, k]>>
  %p = uop.map "mul"(%x, %y) : (tensor<?x20x?xf32, #sw.shape<[m, 20, k]>>, tensor<?x20x?xf32, #sw.shape<[m, 20, k]>>) -> tensor<?x20x?xf32, #sw.shape<[m, 20, k]>>
  %s = uop.reduce "add" %p axes [2] : tensor<?x20x?xf32, #sw.shape<[m, 20, k]>> -> tensor<?x20xf32, #sw.shape<[m, 20]>>
  func.return %s : tensor<?x20xf32, #sw.shape<[m, 20]>>
}

// -----

// That of 22 columns has six, in both.
// CHECK-LABEL: func.func @many_in_the_last
// CHECK-NOT: loop.for "unroll" <() -> (0, 1)> step 1 {
func.func @many_in_the_last(%a: tensor<?x?xf32, #sw.shape<[m, k]>>, %b: tensor<?x22xf32, #sw.shape<[k, 22]>>) -> tensor<?x22xf32, #sw.shape<[m, 22]>> {
  %x = uop.reindex %a <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[m, k]>>) -> tensor<?x22x?xf32, #sw.shape<[m, 22, k]>>
  %y = uop.reindex %b <(d0, d1, d2) -> (d2, d1)> : (tensor<?x22xf32, #sw.shape<[k, 22]>>) -> tensor<?x22x?xf32, #sw.shape<[m, 22, k]>>
  %p = uop.map "mul"(%x, %y) : (tensor<?x22x?xf32, #sw.shape<[m, 22, k]>>, tensor<?x22x?xf32, #sw.shape<[m, 22, k]>>) -> tensor<?x22x?xf32, #sw.shape<[m, 22, k]>>
  %s = uop.reduce "add" %p axes [2] : tensor<?x22x?xf32, #sw.shape<[m, 22, k]>> -> tensor<?x22xf32, #sw.shape<[m, 22]>>
  func.return %s : tensor<?x22xf32, #sw.shape<[m, 22]>>
}
