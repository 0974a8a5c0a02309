// RUN: stepwell-opt %s -p 'uop-sink-reshapes,dce' --split-input-file | filecheck %s

// A batch of rows beside a weight for each column, and a constant: computed on rows.
// CHECK-LABEL: func.func @scaled
// CHECK-NEXT: %[[s:.*]] = uop.reindex %s <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[k]>>) -> tensor<?x?xf32, #sw.shape<[b * t, k]>>
// CHECK-NEXT: %[[m:.*]] = uop.map "mul"(%h, %[[s]])
// CHECK-NEXT: %[[c:.*]] = uop.constant 5.000000e-01 : f32 : tensor<?x?xf32, #sw.shape<[b * t, k]>>
// CHECK-NEXT: %[[a:.*]] = uop.map "add"(%[[m]], %[[c]])
// CHECK-NEXT: %[[w:.*]] = uop.cast %[[a]] : tensor<?x?xf32, #sw.shape<[b * t, k]>> -> tensor<?x?xf64, #sw.shape<[b * t, k]>>
// CHECK-NEXT: uop.reindex %[[w]] <(d0, d1, d2) -> (d0 * t + d1, d2)>
// CHECK-NEXT: func.return
func.func @scaled(%h: tensor<?x?xf32, #sw.shape<[b * t, k]>>, %s: tensor<?xf32, #sw.shape<[k]>>) -> tensor<?x?x?xf64, #sw.shape<[b, t, k]>> attributes {sw.params = ["b", "t", "k"]} {
  %a = uop.reindex %h <(d0, d1, d2) -> (d0 * t + d1, d2)> : (tensor<?x?xf32, #sw.shape<[b * t, k]>>) -> tensor<?x?x?xf32, #sw.shape<[b, t, k]>>
  %b = uop.reindex %s <(d0, d1, d2) -> (d2)> : (tensor<?xf32, #sw.shape<[k]>>) -> tensor<?x?x?xf32, #sw.shape<[b, t, k]>>
  %m = uop.map "mul"(%a, %b) : (tensor<?x?x?xf32, #sw.shape<[b, t, k]>>, tensor<?x?x?xf32, #sw.shape<[b, t, k]>>) -> tensor<?x?x?xf32, #sw.shape<[b, t, k]>>
  %c = uop.constant 0.5 : f32 : tensor<?x?x?xf32, #sw.shape<[b, t, k]>>
  %p = uop.map "add"(%m, %c) : (tensor<?x?x?xf32, #sw.shape<[b, t, k]>>, tensor<?x?x?xf32, #sw.shape<[b, t, k]>>) -> tensor<?x?x?xf32, #sw.shape<[b, t, k]>>
  %w = uop.cast %p : tensor<?x?x?xf32, #sw.shape<[b, t, k]>> -> tensor<?x?x?xf64, #sw.shape<[b, t, k]>>
  func.return %w : tensor<?x?x?xf64, #sw.shape<[b, t, k]>>
}

// -----

// Two reshapes that are alike, with an axis of size 1.
// CHECK-LABEL: func.func @gated
// CHECK-NEXT: %[[m:.*]] = uop.map "mul"(%g, %h) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
// CHECK-NEXT: uop.reindex %[[m]] <(d0, d1, d2) -> (d0 * 4 + d2)> : (tensor<12xf32>) -> tensor<3x1x4xf32>
func.func @gated(%g: tensor<12xf32>, %h: tensor<12xf32>) -> tensor<3x1x4xf32> {
  %a = uop.reindex %g <(d0, d1, d2) -> (d0 * 4 + d2)> : (tensor<12xf32>) -> tensor<3x1x4xf32>
  %b = uop.reindex %h <(d0, d1, d2) -> (d0 * 4 + d2)> : (tensor<12xf32>) -> tensor<3x1x4xf32>
  %m = uop.map "mul"(%a, %b) : (tensor<3x1x4xf32>, tensor<3x1x4xf32>) -> tensor<3x1x4xf32>
  func.return %m : tensor<3x1x4xf32>
}

// -----

// Left alone: an operand that differs along an axis that was split, a slice that starts late, every second element, a part of the
// source, a transpose, and a table of numbers.
// CHECK-LABEL: func.func @left_alone
// CHECK-COUNT-6: uop.map "{{add|exp}}"({{.*}}) : ({{.*}}tensor<3x4xf32>{{.*}}) -> tensor<3x4xf32>
// CHECK: func.return
func.func @left_alone(%h: tensor<12xf32>, %x: tensor<3x4xf32>, %l: tensor<13xf32>, %e: tensor<24xf32>, %z: tensor<4x3xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %a = uop.reindex %h <(d0, d1) -> (d0 * 4 + d1)> : (tensor<12xf32>) -> tensor<3x4xf32>
  %b = uop.reindex %l <(d0, d1) -> (d0 * 4 + d1 + 1)> : (tensor<13xf32>) -> tensor<3x4xf32>
  %c = uop.reindex %e <(d0, d1) -> (d0 * 8 + d1 * 2)> : (tensor<24xf32>) -> tensor<3x4xf32>
  %d = uop.reindex %l <(d0, d1) -> (d0 * 4 + d1)> : (tensor<13xf32>) -> tensor<3x4xf32>
  %t = uop.reindex %z <(d0, d1) -> (d1, d0)> : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %n = uop.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32> : tensor<3x4xf32>
  %0 = uop.map "add"(%a, %x) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = uop.map "exp"(%b) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = uop.map "exp"(%c) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %3 = uop.map "exp"(%d) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %4 = uop.map "add"(%a, %t) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %5 = uop.map "add"(%a, %n) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %0, %1, %2, %3, %4, %5 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}
