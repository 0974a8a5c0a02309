// RUN: stepwell-opt %s -p 'lower-uop-to-loop' --split-input-file | filecheck %s

// A sum of products over a window, in the cache, is in float32 up to 128 products.
// CHECK-LABEL: func.func @window
// CHECK: carry(%{{.*}} : f32) -> f32
// CHECK-NOT: f64
// CHECK: func.return
func.func @window(%x: tensor<255xf32>, %w: tensor<128xf32>) -> tensor<128xf32> {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<255xf32>) -> tensor<128x128xf32>
  %1 = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<128xf32>) -> tensor<128x128xf32>
  %2 = uop.map "mul"(%0, %1) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %3 = uop.reduce "add" %2 axes [1] : tensor<128x128xf32> -> tensor<128xf32>
  func.return %3 : tensor<128xf32>
}

// -----

// So is one whose window is rearranged, cast and passed through functions.
// CHECK-LABEL: func.func @rearranged
// CHECK: carry(%{{.*}} : f32) -> f32
// CHECK-NOT: f64
// CHECK: func.return
func.func @rearranged(%x: tensor<15x8xbf16>, %w: tensor<64xf32>) -> tensor<8xf32> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d0 + d1, d2)> : (tensor<15x8xbf16>) -> tensor<8x8x8xbf16>
  %1 = uop.map "exp"(%0) : (tensor<8x8x8xbf16>) -> tensor<8x8x8xbf16>
  %2 = uop.reindex %1 <(d0, d1) -> (d0, d1 floordiv 8, d1 mod 8)> : (tensor<8x8x8xbf16>) -> tensor<8x64xbf16>
  %3 = uop.cast %2 : tensor<8x64xbf16> -> tensor<8x64xf32>
  %4 = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<64xf32>) -> tensor<8x64xf32>
  %5 = uop.map "mul"(%4, %3) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %6 = uop.reduce "add" %5 axes [1] : tensor<8x64xf32> -> tensor<8xf32>
  func.return %6 : tensor<8xf32>
}

// -----

// Rows that begin where an index tensor says are windows too.
// CHECK-LABEL: func.func @at_places
// CHECK: carry(%{{.*}} : f32) -> f32
// CHECK-NOT: f64
// CHECK: func.return
func.func @at_places(%x: tensor<100xf32>, %p: tensor<8xi64>, %w: tensor<64xf32>) -> tensor<8xf32> {
  %0 = uop.reindex %x <(d0, d1, d2) -> (d1 + d2)> indexed [%p] [#sw.map<(d0, d1) -> (d0)>] : (tensor<100xf32>, tensor<8xi64>) -> tensor<8x64xf32>
  %1 = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<64xf32>) -> tensor<8x64xf32>
  %2 = uop.map "mul"(%0, %1) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = uop.reduce "add" %2 axes [1] : tensor<8x64xf32> -> tensor<8xf32>
  func.return %3 : tensor<8xf32>
}

// -----

// A window of 129 products, and one of a size that is not known, are in float64.
// CHECK-LABEL: func.func @long
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @long(%x: tensor<256xf32>, %w: tensor<129xf32>) -> tensor<128xf32> {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<256xf32>) -> tensor<128x129xf32>
  %1 = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<129xf32>) -> tensor<128x129xf32>
  %2 = uop.map "mul"(%0, %1) : (tensor<128x129xf32>, tensor<128x129xf32>) -> tensor<128x129xf32>
  %3 = uop.reduce "add" %2 axes [1] : tensor<128x129xf32> -> tensor<128xf32>
  func.return %3 : tensor<128xf32>
}
// CHECK-LABEL: func.func @unknown
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @unknown(%x: tensor<?xf32, #sw.shape<[n + 7]>>, %w: tensor<?xf32, #sw.shape<[n]>>) -> tensor<8xf32> {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<?xf32, #sw.shape<[n + 7]>>) -> tensor<8x?xf32, #sw.shape<[8, n]>>
  %1 = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<8x?xf32, #sw.shape<[8, n]>>
  %2 = uop.map "mul"(%0, %1) : (tensor<8x?xf32, #sw.shape<[8, n]>>, tensor<8x?xf32, #sw.shape<[8, n]>>) -> tensor<8x?xf32, #sw.shape<[8, n]>>
  %3 = uop.reduce "add" %2 axes [1] : tensor<8x?xf32, #sw.shape<[8, n]>> -> tensor<8xf32>
  func.return %3 : tensor<8xf32>
}

// -----

// Products along rows read no window: no index depends on both axes.
// CHECK-LABEL: func.func @rows
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @rows(%x: tensor<8x64xf32>, %w: tensor<64xf32>) -> tensor<8xf32> {
  %0 = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<64xf32>) -> tensor<8x64xf32>
  %1 = uop.map "mul"(%x, %0) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = uop.reduce "add" %1 axes [1] : tensor<8x64xf32> -> tensor<8xf32>
  func.return %2 : tensor<8xf32>
}

// -----

// The mean of a window sums no products, and a product of the terms of a window is no sum: both are in float64.
// CHECK-LABEL: func.func @other_folds
// CHECK-COUNT-2: carry(%{{.*}} : f64) -> f64
func.func @other_folds(%x: tensor<71xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<71xf32>) -> tensor<8x64xf32>
  %1 = uop.reduce "add" %0 axes [1] : tensor<8x64xf32> -> tensor<8xf32>
  %2 = uop.map "mul"(%0, %0) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = uop.reduce "mul" %2 axes [1] : tensor<8x64xf32> -> tensor<8xf32>
  func.return %1, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Products that something else reads too are stored: their sum reads no window.
// CHECK-LABEL: func.func @stored_products
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @stored_products(%x: tensor<71xf32>, %w: tensor<8x64xf32>) -> (tensor<8xf32>, tensor<8x64xf32>) {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<71xf32>) -> tensor<8x64xf32>
  %1 = uop.map "mul"(%0, %w) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = uop.reduce "add" %1 axes [1] : tensor<8x64xf32> -> tensor<8xf32>
  func.return %2, %1 : tensor<8xf32>, tensor<8x64xf32>
}

// -----

// Products that are rounded to bfloat16 are summed in float64: the type of the products is not float32.
// CHECK-LABEL: func.func @rounded_products
// CHECK: carry(%{{.*}} : f64) -> f64
func.func @rounded_products(%x: tensor<71xbf16>, %w: tensor<8x64xbf16>) -> tensor<8xbf16> {
  %0 = uop.reindex %x <(d0, d1) -> (d0 + d1)> : (tensor<71xbf16>) -> tensor<8x64xbf16>
  %1 = uop.map "mul"(%0, %w) : (tensor<8x64xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
  %2 = uop.reduce "add" %1 axes [1] : tensor<8x64xbf16> -> tensor<8xbf16>
  func.return %2 : tensor<8xbf16>
}

// -----

// Rows of a reshaped array do not overlap: their sums are in float64.
// CHECK-LABEL: func.func @reshaped
// CHECK: loop.for "reduction" <() -> (0, 100)> step 1 carry(%{{.*}} : f64) -> f64
func.func @reshaped(%x: tensor<300xf32>, %w: tensor<100xf32>) -> tensor<3xf32> {
  %a = uop.reindex %x <(d0, d1) -> (d0 * 100 + d1)> : (tensor<300xf32>) -> tensor<3x100xf32>
  %b = uop.reindex %w <(d0, d1) -> (d1)> : (tensor<100xf32>) -> tensor<3x100xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<3x100xf32>, tensor<3x100xf32>) -> tensor<3x100xf32>
  %s = uop.reduce "add" %p axes [1] : tensor<3x100xf32> -> tensor<3xf32>
  func.return %s : tensor<3xf32>
}
