// RUN: stepwell-opt %s -p 'lower-graph-to-uop,uop-split-convolutions' --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p 'lower-graph-to-uop,uop-split-convolutions{phases=1}' --split-input-file | filecheck %s --check-prefix=GROUPS
// RUN: stepwell-opt %s -p 'lower-graph-to-uop,uop-split-convolutions{apart=1}' --split-input-file | filecheck %s --check-prefix=APART

// A grouped convolution is a product for each group, whose channels are put one after another.
// CHECK-LABEL: func.func @grouped
// CHECK: uop.reindex %x <(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d3 + d5)>
// CHECK: uop.reindex %w <(d0, d1, d2, d3, d4, d5) -> (d1 * 3 + d2, d4, d5)>
// CHECK: uop.reduce "add" %{{.*}} axes [4 : i64, 5 : i64]
// CHECK: uop.reindex %{{.*}} <(d0, d1, d2) -> (d0, d1 floordiv 3, d1 mod 3, d2)>
func.func @grouped(%x: tensor<1x4x8xf32>, %w: tensor<6x2x3xf32>) -> tensor<1x6x6xf32> {
  %0 = graph.conv %x, %w stride [1] low <[0]> high <[0]> dilation [1] groups 2 : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32>
  func.return %0 : tensor<1x6x6xf32>
}

// -----

// Transposed with steps of two, elements of the result are those of one phase or the other, each a convolution with every other
// element of the kernel. Their axis stands before the places, along which the results stay contiguous.
// CHECK-LABEL: func.func @phases
// CHECK: uop.reindex %x <(d0, d1, d2, d3, d4, d5) -> (d0, d4, d3 - d5 + (d2 + 1) floordiv 2)> fill
// CHECK: uop.reindex %w <(d0, d1, d2, d3, d4, d5) -> (d4, d1, d5 * 2 + (d2 + 1) mod 2)>
// CHECK: uop.reduce "add" %{{.*}} axes [4 : i64, 5 : i64]
// CHECK: uop.reindex %{{.*}} <(d0, d1, d2) -> (d0, d1, d2 mod 2, d2 floordiv 2)>
// GROUPS-LABEL: func.func @phases
// GROUPS: guard <(d0, d1, d2, d3, d4) -> (-((d2 - d4 + 1) mod 2))>
func.func @phases(%x: tensor<1x4x8xf32>, %w: tensor<4x3x4xf32>) -> tensor<1x3x16xf32> {
  %0 = graph.conv_transpose %x, %w stride [2] low <[1]> high <[1]> dilation [1] groups 1 extra [0] : (tensor<1x4x8xf32>, tensor<4x3x4xf32>) -> tensor<1x3x16xf32>
  func.return %0 : tensor<1x3x16xf32>
}

// -----

// Steps that do not divide the kernel: both factors are 0 where the last element of a phase is beyond it, or the phases of two
// elements and those of one are two sums.
// CHECK-LABEL: func.func @beyond_the_kernel
// CHECK: uop.reindex %x <(d0, d1, d2, d3, d4, d5) -> (d0, d4, d3 - d5)> guard <(d0, d1, d2, d3, d4, d5) -> (-d2 - d5 * 2 + 2)> fill
// CHECK: uop.reindex %w <(d0, d1, d2, d3, d4, d5) -> (d4, d1, d2 + d5 * 2)> guard <(d0, d1, d2, d3, d4, d5) -> (-d2 - d5 * 2 + 2)> fill
// CHECK: uop.reduce "add" %{{.*}} axes [4 : i64, 5 : i64]
// APART-LABEL: func.func @beyond_the_kernel
// APART: uop.reindex %x <(d0, d1, d2, d3, d4, d5) -> (d0, d4, d3 - d5)> fill
// APART: uop.reindex %w <(d0, d1, d2, d3, d4, d5) -> (d4, d1, d5 * 2)> :
// APART: %[[TWO:.*]] = uop.reduce "add" %{{.*}} axes [4 : i64, 5 : i64]
// APART: %[[EVEN:.*]] = uop.reindex %[[TWO]] <(d0, d1, d2) -> (d0, d1, d2 mod 2, d2 floordiv 2)> guard <(d0, d1, d2) -> (-(d2 mod 2))> fill
// APART: uop.reindex %w <(d0, d1, d2, d3, d4, d5) -> (d4, d1, d5 * 2 + 1)> :
// APART: %[[ONE:.*]] = uop.reduce "add" %{{.*}} axes [4 : i64, 5 : i64]
// APART: %[[ODD:.*]] = uop.reindex %[[ONE]] <(d0, d1, d2) -> (d0, d1, d2 mod 2 - 1, d2 floordiv 2)> guard <(d0, d1, d2) -> (d2 mod 2 - 1)> fill
// APART: uop.map "add"(%[[EVEN]], %[[ODD]])
func.func @beyond_the_kernel(%x: tensor<1x4x8xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x3x17xf32> {
  %0 = graph.conv_transpose %x, %w stride [2] low <[0]> high <[0]> dilation [1] groups 1 extra [0] : (tensor<1x4x8xf32>, tensor<4x3x3xf32>) -> tensor<1x3x17xf32>
  func.return %0 : tensor<1x3x17xf32>
}

// -----

// Windows of one element reach every other place alone. The others are 0.
// CHECK-LABEL: func.func @multiples
// CHECK: uop.reindex %x <(d0, d1, d2, d3) -> (d0, d3, d2)> : (tensor<1x4x8xf32>) -> tensor<1x3x8x4xf32>
// CHECK: %[[R:.*]] = uop.reduce "add"
// CHECK: uop.reindex %[[R]] <(d0, d1, d2) -> (d0, d1, d2 floordiv 2)> guard <(d0, d1, d2) -> (-(d2 mod 2))> fill
func.func @multiples(%x: tensor<1x4x8xf32>, %w: tensor<4x3xf32>) -> tensor<1x3x15xf32> {
  %a = uop.reindex %x <(d0, d1, d2, d3) -> (d0, d3, d2 floordiv 2)> guard <(d0, d1, d2, d3) -> (-(d2 mod 2))> fill 0.0 : f32 : (tensor<1x4x8xf32>) -> tensor<1x3x15x4xf32>
  %b = uop.reindex %w <(d0, d1, d2, d3) -> (d3, d1)> : (tensor<4x3xf32>) -> tensor<1x3x15x4xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<1x3x15x4xf32>, tensor<1x3x15x4xf32>) -> tensor<1x3x15x4xf32>
  %s = uop.reduce "add" %p axes [3] : tensor<1x3x15x4xf32> -> tensor<1x3x15xf32>
  func.return %s : tensor<1x3x15xf32>
}

// -----

// Groups, and each of them by phases: channels of a group are summed, which lie side by side, and do not slide.
// CHECK-LABEL: func.func @both
// CHECK: uop.reindex %x <(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d5, d4 - d6 + (d3 + 1) floordiv 2)> fill
// CHECK: uop.reindex %w <(d0, d1, d2, d3, d4, d5, d6) -> (d1 * 2 + d5, d2, d6 * 2 + (d3 + 1) mod 2)>
// CHECK: uop.reduce "add" %{{.*}} axes [5 : i64, 6 : i64]
// CHECK: uop.reindex %{{.*}} <(d0, d1, d2, d3) -> (d0, d1, d2, d3 mod 2, d3 floordiv 2)>
// CHECK: uop.reindex %{{.*}} <(d0, d1, d2) -> (d0, d1 floordiv 3, d1 mod 3, d2)>
func.func @both(%x: tensor<1x4x8xf32>, %w: tensor<4x3x4xf32>) -> tensor<1x6x16xf32> {
  %0 = graph.conv_transpose %x, %w stride [2] low <[1]> high <[1]> dilation [1] groups 2 extra [0] : (tensor<1x4x8xf32>, tensor<4x3x4xf32>) -> tensor<1x6x16xf32>
  func.return %0 : tensor<1x6x16xf32>
}

// -----

// With a group for each channel nothing but windows is summed, which is no product of matrices.
// CHECK-LABEL: func.func @channels
// CHECK: guard
// CHECK: %[[R:.*]] = uop.reduce
// CHECK-NEXT: func.return %[[R]]
func.func @channels(%x: tensor<1x4x8xf32>, %w: tensor<4x1x4xf32>) -> tensor<1x4x16xf32> {
  %0 = graph.conv_transpose %x, %w stride [2] low <[1]> high <[1]> dilation [1] groups 4 extra [0] : (tensor<1x4x8xf32>, tensor<4x1x4xf32>) -> tensor<1x4x16xf32>
  func.return %0 : tensor<1x4x16xf32>
}

// -----

// Both factors have places of their own beside one that is divided: heads that share keys are a product for each head already.
// CHECK-LABEL: func.func @heads
// CHECK: %[[S:.*]] = uop.reduce "add" %p axes [3 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @heads(%q: tensor<4x5x8xf32>, %k: tensor<2x5x8xf32>) -> tensor<4x5x5xf32> {
  %a = uop.reindex %q <(d0, d1, d2, d3) -> (d0, d1, d3)> : (tensor<4x5x8xf32>) -> tensor<4x5x5x8xf32>
  %b = uop.reindex %k <(d0, d1, d2, d3) -> (d0 floordiv 2, d2, d3)> : (tensor<2x5x8xf32>) -> tensor<4x5x5x8xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<4x5x5x8xf32>, tensor<4x5x5x8xf32>) -> tensor<4x5x5x8xf32>
  %s = uop.reduce "add" %p axes [3] : tensor<4x5x5x8xf32> -> tensor<4x5x5xf32>
  func.return %s : tensor<4x5x5xf32>
}

// -----

// Products that are moved before they are summed are products of factors that are.
// CHECK-LABEL: func.func @moved
// CHECK: %[[A:.*]] = uop.reindex %x <(d0, d1) -> (d1, d0)>
// CHECK: %[[B:.*]] = uop.reindex %y <(d0, d1) -> (d0)>
// CHECK: %[[P:.*]] = uop.map "mul"(%[[A]], %[[B]])
// CHECK: uop.reduce "add" %[[P]] axes [1 : i64]
func.func @moved(%x: tensor<3x5xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %a = uop.reindex %y <(d0, d1) -> (d1)> : (tensor<5xf32>) -> tensor<3x5xf32>
  %p = uop.map "mul"(%x, %a) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %t = uop.reindex %p <(d0, d1) -> (d1, d0)> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %s = uop.reduce "add" %t axes [1] : tensor<5x3xf32> -> tensor<5xf32>
  func.return %s : tensor<5xf32>
}

// -----

// Left alone: a convolution with a border, whose guards ask for a place inside of it and not for a phase.
// CHECK-LABEL: func.func @border
// CHECK: %[[R:.*]] = uop.reduce "add" %{{.*}} axes [3 : i64, 4 : i64]
// CHECK-NEXT: func.return %[[R]]
func.func @border(%x: tensor<1x4x8xf32>, %w: tensor<3x4x3xf32>) -> tensor<1x3x8xf32> {
  %0 = graph.conv %x, %w stride [1] low <[1]> high <[1]> dilation [1] groups 1 : (tensor<1x4x8xf32>, tensor<3x4x3xf32>) -> tensor<1x3x8xf32>
  func.return %0 : tensor<1x3x8xf32>
}

// -----

// Left alone: what is moved before it is summed, but is no product.
// CHECK-LABEL: func.func @no_product
// CHECK: %[[T:.*]] = uop.reindex %p <(d0, d1) -> (d1, d0)>
// CHECK-NEXT: uop.reduce "add" %[[T]] axes [1 : i64]
func.func @no_product(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<5xf32> {
  %p = uop.map "max"(%x, %y) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %t = uop.reindex %p <(d0, d1) -> (d1, d0)> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %s = uop.reduce "add" %t axes [1] : tensor<5x3xf32> -> tensor<5xf32>
  func.return %s : tensor<5xf32>
}

// -----

// Left alone: a product that is a result as well, and so is computed where it stands in any case.
// CHECK-LABEL: func.func @used_twice
// CHECK: %[[T:.*]] = uop.reindex %p <(d0, d1) -> (d1, d0)>
// CHECK-NEXT: uop.reduce "add" %[[T]] axes [1 : i64]
func.func @used_twice(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<5xf32>) {
  %p = uop.map "mul"(%x, %y) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %t = uop.reindex %p <(d0, d1) -> (d1, d0)> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %s = uop.reduce "add" %t axes [1] : tensor<5x3xf32> -> tensor<5xf32>
  func.return %p, %s : tensor<3x5xf32>, tensor<5xf32>
}

// -----

// Left alone: a factor with a border of ones, where products by parts would have zeros.
// CHECK-LABEL: func.func @border_of_ones
// CHECK: %[[T:.*]] = uop.reindex %p <(d0, d1) -> (d1, d0)>
// CHECK-NEXT: uop.reduce "add" %[[T]] axes [1 : i64]
func.func @border_of_ones(%x: tensor<3x4xf32>, %y: tensor<3x5xf32>) -> tensor<5xf32> {
  %a = uop.reindex %x <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (3 - d1)> fill 1.0 : f32 : (tensor<3x4xf32>) -> tensor<3x5xf32>
  %p = uop.map "mul"(%a, %y) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %t = uop.reindex %p <(d0, d1) -> (d1, d0)> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %s = uop.reduce "add" %t axes [1] : tensor<5x3xf32> -> tensor<5xf32>
  func.return %s : tensor<5xf32>
}

// -----

// Left alone: a triangular factor, whose guard compares two indices and asks for no phase.
// CHECK-LABEL: func.func @triangle
// CHECK: %[[R:.*]] = uop.reduce "add" %p axes [2 : i64]
// CHECK-NEXT: func.return %[[R]]
func.func @triangle(%x: tensor<4x4xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> guard <(d0, d1, d2) -> (d0 - d2)> fill 0.0 : f32 : (tensor<4x4xf32>) -> tensor<4x5x4xf32>
  %b = uop.reindex %y <(d0, d1, d2) -> (d2, d1)> : (tensor<4x5xf32>) -> tensor<4x5x4xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<4x5x4xf32>, tensor<4x5x4xf32>) -> tensor<4x5x4xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<4x5x4xf32> -> tensor<4x5xf32>
  func.return %s : tensor<4x5xf32>
}

// -----

// Windows longer than the axis that they slide over: the index into the axis is summed, and both factors are 0 beyond a window.
// CHECK-LABEL: func.func @sources
// CHECK: uop.reindex %x <(d0, d1, d2, d3, d4) -> (d0, d3, d4)> guard <(d0, d1, d2, d3, d4) -> (-d2 + d4 + 2, d2 - d4)> fill
// CHECK: uop.reindex %w <(d0, d1, d2, d3, d4) -> (d1, d3, -d2 + d4 + 2)> guard <(d0, d1, d2, d3, d4) -> (-d2 + d4 + 2, d2 - d4)> fill
// CHECK: uop.reduce "add" %{{.*}} axes [3 : i64, 4 : i64] : tensor<1x3x4x4x2xf32>
func.func @sources(%x: tensor<1x4x2xf32>, %w: tensor<3x4x3xf32>) -> tensor<1x3x4xf32> {
  %0 = graph.conv %x, %w stride [1] low <[2]> high <[2]> dilation [1] groups 1 : (tensor<1x4x2xf32>, tensor<3x4x3xf32>) -> tensor<1x3x4xf32>
  func.return %0 : tensor<1x3x4xf32>
}

// -----

// Left alone: windows as long as the axis.
// CHECK-LABEL: func.func @as_long
// CHECK: %[[R:.*]] = uop.reduce "add" %{{.*}} axes [3 : i64, 4 : i64] : tensor<1x3x5x4x3xf32>
// CHECK-NEXT: func.return %[[R]]
func.func @as_long(%x: tensor<1x4x3xf32>, %w: tensor<3x4x3xf32>) -> tensor<1x3x5xf32> {
  %0 = graph.conv %x, %w stride [1] low <[2]> high <[2]> dilation [1] groups 1 : (tensor<1x4x3xf32>, tensor<3x4x3xf32>) -> tensor<1x3x5xf32>
  func.return %0 : tensor<1x3x5xf32>
}

// -----

// The gradient of a transposed convolution's weights: every second summed index has a term, and the quotient is summed in its place.
// CHECK-LABEL: func.func @quotients
// CHECK: uop.reindex %x <(d0, d1, d2, d3, d4) -> (d3, d0, d4)> guard <(d0, d1, d2, d3, d4) -> (d2 + d4 * 2 - 1)> fill
// CHECK: uop.reindex %g <(d0, d1, d2, d3, d4) -> (d3, d1, d2 + d4 * 2 - 1)> guard <(d0, d1, d2, d3, d4) -> (d2 + d4 * 2 - 1)> fill
// CHECK: uop.reduce "add" %{{.*}} axes [3 : i64, 4 : i64] : tensor<4x3x3x5x6xf32>
// With steps beyond `phases` it is left alone.
// GROUPS-LABEL: func.func @quotients
// GROUPS: %[[R:.*]] = uop.reduce "add" %p axes [3 : i64, 4 : i64] : tensor<4x3x3x5x12xf32>
// GROUPS-NEXT: func.return %[[R]]
func.func @quotients(%x: tensor<5x4x6xf32>, %g: tensor<5x3x12xf32>) -> tensor<4x3x3xf32> {
  %a = uop.reindex %x <(d0, d1, d2, d3, d4) -> (d3, d0, (d4 - d2 + 1) floordiv 2)> guard <(d0, d1, d2, d3, d4) -> (d4 - d2 + 1, 12 - d4 + d2, -((d4 - d2 + 1) mod 2))> fill 0.0 : f32 : (tensor<5x4x6xf32>) -> tensor<4x3x3x5x12xf32>
  %b = uop.reindex %g <(d0, d1, d2, d3, d4) -> (d3, d1, d4)> : (tensor<5x3x12xf32>) -> tensor<4x3x3x5x12xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<4x3x3x5x12xf32>, tensor<4x3x3x5x12xf32>) -> tensor<4x3x3x5x12xf32>
  %s = uop.reduce "add" %p axes [3, 4] : tensor<4x3x3x5x12xf32> -> tensor<4x3x3xf32>
  func.return %s : tensor<4x3x3xf32>
}

// -----

// By phases and not by quotients: the places are no fewer than the summed indices.
// CHECK-LABEL: func.func @many_places
// CHECK: uop.reduce "add" %{{.*}} axes [4 : i64, 5 : i64] : tensor<4x3x2x6x5x6xf32>
func.func @many_places(%x: tensor<5x4x12xf32>, %g: tensor<5x3x12xf32>) -> tensor<4x3x12xf32> {
  %a = uop.reindex %x <(d0, d1, d2, d3, d4) -> (d3, d0, (d2 - d4 + 1) floordiv 2)> guard <(d0, d1, d2, d3, d4) -> (d2 - d4 + 1, -((d2 - d4 + 1) mod 2))> fill 0.0 : f32 : (tensor<5x4x12xf32>) -> tensor<4x3x12x5x12xf32>
  %b = uop.reindex %g <(d0, d1, d2, d3, d4) -> (d3, d1, d4)> : (tensor<5x3x12xf32>) -> tensor<4x3x12x5x12xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<4x3x12x5x12xf32>, tensor<4x3x12x5x12xf32>) -> tensor<4x3x12x5x12xf32>
  %s = uop.reduce "add" %p axes [3, 4] : tensor<4x3x12x5x12xf32> -> tensor<4x3x12xf32>
  func.return %s : tensor<4x3x12xf32>
}

// -----

// Left alone: the greatest product, which is no sum.
// CHECK-LABEL: func.func @greatest
// CHECK: %[[T:.*]] = uop.reindex %{{.*}} <(d0, d1) -> (d1, d0)>
// CHECK-NEXT: uop.reduce "max" %[[T]] axes [1 : i64]
func.func @greatest(%x: tensor<3x5xf32>, %y: tensor<3x4xf32>) -> tensor<5xf32> {
  %p = uop.map "mul"(%x, %x) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %t = uop.reindex %p <(d0, d1) -> (d1, d0)> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %s = uop.reduce "max" %t axes [1] : tensor<5x3xf32> -> tensor<5xf32>
  func.return %s : tensor<5xf32>
}

// -----

// Left alone: what is read at other places, and not computed.
// CHECK-LABEL: func.func @no_factors
// CHECK: %[[T:.*]] = uop.reindex %{{.*}} <(d0, d1) -> (d1, d0)>
// CHECK-NEXT: uop.reduce "add" %[[T]] axes [1 : i64]
func.func @no_factors(%x: tensor<3x5xf32>, %y: tensor<3x4xf32>) -> tensor<5xf32> {
  %t = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %s = uop.reduce "add" %t axes [1] : tensor<5x3xf32> -> tensor<5xf32>
  func.return %s : tensor<5xf32>
}

// -----

// Left alone: a border of ones in the second factor.
// CHECK-LABEL: func.func @second_border
// CHECK: %[[T:.*]] = uop.reindex %{{.*}} <(d0, d1) -> (d1, d0)>
// CHECK-NEXT: uop.reduce "add" %[[T]] axes [1 : i64]
func.func @second_border(%x: tensor<3x5xf32>, %y: tensor<3x4xf32>) -> tensor<5xf32> {
  %a = uop.reindex %y <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (3 - d1)> fill 1.0 : f32 : (tensor<3x4xf32>) -> tensor<3x5xf32>
  %p = uop.map "mul"(%x, %a) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %t = uop.reindex %p <(d0, d1) -> (d1, d0)> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %s = uop.reduce "add" %t axes [1] : tensor<5x3xf32> -> tensor<5xf32>
  func.return %s : tensor<5xf32>
}

// -----

// Left alone: two of four remainders have a term.
// CHECK-LABEL: func.func @two_of_four
// CHECK: %[[S:.*]] = uop.reduce "add" %{{.*}} axes [1 : i64, 2 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @two_of_four(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<8xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d1, d2)> guard <(d0, d1, d2) -> (1 - (d0 - d2) mod 4)> fill 0.0 : f32 : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d1, d2)> : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
  %s = uop.reduce "add" %p axes [1, 2] : tensor<8x4x8xf32> -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// Left alone: terms where one of two remainders is 0.
// CHECK-LABEL: func.func @either
// CHECK: %[[S:.*]] = uop.reduce "add" %{{.*}} axes [1 : i64, 2 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @either(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<8xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d1, d2)> guard <(d0, d1, d2) -> (-((d0 - d2) mod 2 * ((d0 + d2) mod 3)))> fill 0.0 : f32 : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d1, d2)> : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
  %s = uop.reduce "add" %p axes [1, 2] : tensor<8x4x8xf32> -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// Left alone: a remainder of three indices.
// CHECK-LABEL: func.func @three_indices
// CHECK: %[[S:.*]] = uop.reduce "add" %{{.*}} axes [1 : i64, 2 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @three_indices(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<8xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d1, d2)> guard <(d0, d1, d2) -> (-((d0 - d1 - d2) mod 2))> fill 0.0 : f32 : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d1, d2)> : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
  %s = uop.reduce "add" %p axes [1, 2] : tensor<8x4x8xf32> -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// Left alone: a remainder of summed indices alone.
// CHECK-LABEL: func.func @both_summed
// CHECK: %[[S:.*]] = uop.reduce "add" %{{.*}} axes [1 : i64, 2 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @both_summed(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<8xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d1, d2)> guard <(d0, d1, d2) -> (-((d1 - d2) mod 2))> fill 0.0 : f32 : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d1, d2)> : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
  %s = uop.reduce "add" %p axes [1, 2] : tensor<8x4x8xf32> -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// Left alone: rows at indices that are data.
// CHECK-LABEL: func.func @gathered
// CHECK: %[[T:.*]] = uop.reindex %p <(d0, d1) -> (d1, d0)>
// CHECK-NEXT: uop.reduce "add" %[[T]] axes [1 : i64]
func.func @gathered(%x: tensor<3x5xf32>, %k: tensor<3xi64>) -> tensor<5xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d2, d1)> indexed [%k] [#sw.map<(d0, d1) -> (d0)>] : (tensor<3x5xf32>, tensor<3xi64>) -> tensor<3x5xf32>
  %p = uop.map "mul"(%a, %x) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %t = uop.reindex %p <(d0, d1) -> (d1, d0)> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %s = uop.reduce "add" %t axes [1] : tensor<5x3xf32> -> tensor<5xf32>
  func.return %s : tensor<5xf32>
}

// -----

// Left alone: groups of one channel each, of which windows alone are summed.
// CHECK-LABEL: func.func @depthwise
// CHECK: %[[R:.*]] = uop.reduce
// CHECK-NEXT: func.return %[[R]]
func.func @depthwise(%x: tensor<1x4x8xf32>, %w: tensor<8x1x3xf32>) -> tensor<1x8x6xf32> {
  %0 = graph.conv %x, %w stride [1] low <[0]> high <[0]> dilation [1] groups 4 : (tensor<1x4x8xf32>, tensor<8x1x3xf32>) -> tensor<1x8x6xf32>
  func.return %0 : tensor<1x8x6xf32>
}

// -----

// Left alone: terms at one index, by no test of a remainder.
// CHECK-LABEL: func.func @only_first
// CHECK: %[[S:.*]] = uop.reduce "add" %{{.*}} axes [1 : i64, 2 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @only_first(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<8xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d1, d2)> guard <(d0, d1, d2) -> (-d2)> fill 0.0 : f32 : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d1, d2)> : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
  %s = uop.reduce "add" %p axes [1, 2] : tensor<8x4x8xf32> -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// Left alone: terms where a quotient is 0.
// CHECK-LABEL: func.func @quotient_of_zero
// CHECK: %[[S:.*]] = uop.reduce "add" %{{.*}} axes [1 : i64, 2 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @quotient_of_zero(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>) -> tensor<8xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d1, d2)> guard <(d0, d1, d2) -> (-((d0 + d2) floordiv 4))> fill 0.0 : f32 : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d1, d2)> : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
  %s = uop.reduce "add" %p axes [1, 2] : tensor<8x4x8xf32> -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// Left alone: remainders by a size that is not known.
// CHECK-LABEL: func.func @by_a_size
// CHECK: %[[S:.*]] = uop.reduce "add" %{{.*}} axes [1 : i64, 2 : i64]
// CHECK-NEXT: func.return %[[S]]
func.func @by_a_size(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>, %v: tensor<?xf32, #sw.shape<[n]>>) -> tensor<8xf32> {
  %a = uop.reindex %x <(d0, d1, d2) -> (d1, d2)> guard <(d0, d1, d2) -> (-((d0 - d2) mod n))> fill 0.0 : f32 : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %b = uop.reindex %w <(d0, d1, d2) -> (d1, d2)> : (tensor<4x8xf32>) -> tensor<8x4x8xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<8x4x8xf32>, tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
  %s = uop.reduce "add" %p axes [1, 2] : tensor<8x4x8xf32> -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// A summed index that is beyond an axis at its ends: the index into the axis is summed. A read of a read is one read.
// CHECK-LABEL: func.func @beyond
// CHECK: %[[X:.*]] = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<4x28xf32>) -> tensor<4x3x28xf32>
// CHECK: %[[Y:.*]] = uop.reindex %y <(d0, d1, d2) -> (d1, d2 + 1)> : (tensor<3x30xf32>) -> tensor<4x3x28xf32>
// CHECK: uop.map "mul"(%[[X]], %[[Y]])
// CHECK: uop.reduce "add" %{{.*}} axes [2 : i64] : tensor<4x3x28xf32>
func.func @beyond(%x: tensor<4x28xf32>, %y: tensor<3x30xf32>) -> tensor<4x3xf32> {
  %t = uop.reindex %x <(d0, d1) -> (d1, d0)> : (tensor<4x28xf32>) -> tensor<28x4xf32>
  %a = uop.reindex %t <(d0, d1, d2) -> (d2 - 1, d0)> fill 0.0 : f32 : (tensor<28x4xf32>) -> tensor<4x3x30xf32>
  %b = uop.reindex %y <(d0, d1, d2) -> (d1, d2)> : (tensor<3x30xf32>) -> tensor<4x3x30xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<4x3x30xf32>, tensor<4x3x30xf32>) -> tensor<4x3x30xf32>
  %s = uop.reduce "add" %p axes [2] : tensor<4x3x30xf32> -> tensor<4x3xf32>
  func.return %s : tensor<4x3xf32>
}

// -----

// A factor is 0 at the end of a summed index: the sum ends with the axis of that factor, also where nothing but windows is summed.
// CHECK-LABEL: func.func @beyond_the_axis
// CHECK: uop.reindex %x <(d0, d1) -> (d1)> : (tensor<8xf32>) -> tensor<3x8xf32>
// CHECK: uop.reduce "add" %{{.*}} axes [1 : i64] : tensor<3x8xf32>
func.func @beyond_the_axis(%c: tensor<15xf32>, %x: tensor<8xf32>) -> tensor<3xf32> {
  %a = uop.reindex %c <(d0, d1) -> (d0 + d1 * 2 - 1)> fill 0.0 : f32 : (tensor<15xf32>) -> tensor<3x9xf32>
  %b = uop.reindex %x <(d0, d1) -> (d1)> fill 0.0 : f32 : (tensor<8xf32>) -> tensor<3x9xf32>
  %p = uop.map "mul"(%a, %b) : (tensor<3x9xf32>, tensor<3x9xf32>) -> tensor<3x9xf32>
  %s = uop.reduce "add" %p axes [1] : tensor<3x9xf32> -> tensor<3xf32>
  func.return %s : tensor<3xf32>
}
