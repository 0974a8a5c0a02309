// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse{columns=1}' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline,loop-fuse' --split-input-file | filecheck %s --check-prefix=ROWS

// A sum of columns and what is computed of the same elements share a nest: loop-interchange moves the loop over the columns inside.
// Without the option the elements stay in the order of memory, in a nest of their own.
// CHECK-LABEL: func.func @columns
// CHECK: loop.for "parallel" <() -> (0, m)>
// CHECK: loop.for "reduction" <() -> (0, n)>
// CHECK: loop.store %{{.*}} into %out[
// CHECK: loop.compute "add"
// CHECK: loop.store %{{.*}} into %out_1[
// CHECK-NOT: loop.block
// ROWS-LABEL: func.func @columns
// ROWS-COUNT-2: loop.block
func.func @columns(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>) {
  %a = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %b = uop.reduce "add" %x axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %a, %b : tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>
}

// -----

// The sum of other elements, in the opposite order, is not joined: its elements are not those of the same iterations.
// CHECK-LABEL: func.func @backwards
// CHECK-COUNT-2: loop.block
// ROWS-LABEL: func.func @backwards
func.func @backwards(%x: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>) {
  %a = uop.map "exp"(%x) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %r = uop.reindex %a <(d0, d1) -> (n - d0 - 1, d1)> : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %b = uop.reduce "add" %r axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %a, %b : tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>
}

// -----

// A nest that shares only a row with the sum gains nothing.
// CHECK-LABEL: func.func @row
// CHECK-COUNT-2: loop.block
// ROWS-LABEL: func.func @row
func.func @row(%x: tensor<?x?xf32, #sw.shape<[n, m]>>, %y: tensor<?xf32, #sw.shape<[m]>>, %z: tensor<?x?xf32, #sw.shape<[n, m]>>) -> (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>) {
  %w = uop.reindex %y <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %a = uop.map "add"(%z, %w) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %p = uop.map "mul"(%x, %w) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
  %b = uop.reduce "add" %p axes [0] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[m]>>
  func.return %a, %b : tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?xf32, #sw.shape<[m]>>
}
