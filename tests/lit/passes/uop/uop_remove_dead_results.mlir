// RUN: stepwell-opt %s -p uop-remove-dead-results --split-input-file | filecheck %s

// The second carry and the second result are for nobody; so are the entries and the values that only they are computed from.
// CHECK-LABEL: func.func @unused
// CHECK: [[S:%.*]] = uop.iterate(%i : tensor<2xf32>) over(%x : tensor<3x2xf32>) with() times <() -> (3)> reverse false -> tensor<2xf32> {
// CHECK-NEXT: ^bb0([[A:%.*]]: tensor<2xf32>, [[B:%.*]]: tensor<2xf32>):
// CHECK-NEXT: [[C:%.*]] = uop.map "add"([[A]], [[B]])
// CHECK-NEXT: uop.yield [[C]] : tensor<2xf32>
func.func @unused(%i: tensor<2xf32>, %x: tensor<3x2xf32>, %y: tensor<3x2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %s, %t, %r = uop.iterate (%i, %i : tensor<2xf32>, tensor<2xf32>) over (%x, %y : tensor<3x2xf32>, tensor<3x2xf32>) with (%w : tensor<2xf32>) times <() -> (3)> reverse false -> tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32> {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>, %d: tensor<2xf32>, %e: tensor<2xf32>):
    %f = uop.map "add"(%a, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %g = uop.map "mul"(%b, %d) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %h = uop.map "mul"(%g, %e) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    uop.yield %f, %g, %h : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  func.return %s : tensor<2xf32>
}

// -----

// Left alone: the second carry is not asked for, but the first one is computed from it.
// CHECK-LABEL: func.func @of_another
// CHECK: uop.iterate(%i, %j : tensor<2xf32>, tensor<2xf32>)
func.func @of_another(%i: tensor<2xf32>, %j: tensor<2xf32>) -> tensor<2xf32> {
  %s, %t = uop.iterate (%i, %j : tensor<2xf32>, tensor<2xf32>) over () with () times <() -> (n)> reverse false -> tensor<2xf32>, tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    uop.yield %b, %a : tensor<2xf32>, tensor<2xf32>
  }
  func.return %s : tensor<2xf32>
}

// -----

// Constants of one value are made in each step; one of several values is read.
// CHECK-LABEL: func.func @constants
// CHECK: uop.iterate(%i : tensor<2xf32>) over() with(%{{.*}} : tensor<2xf32>) times <() -> (3)> reverse false -> tensor<2xf32> {
// CHECK: [[ONE:%.*]] = uop.constant 1.000000e+00 : f32 : tensor<2xf32>
// CHECK: uop.map "fma"(%{{.*}}, [[ONE]], %{{.*}})
func.func @constants(%i: tensor<2xf32>) -> tensor<2xf32> {
  %o = uop.constant 1.0 : f32 : tensor<3x2xf32>
  %w = uop.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %s = uop.iterate (%i : tensor<2xf32>) over (%o : tensor<3x2xf32>) with (%w : tensor<2xf32>) times <() -> (3)> reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>):
    %d = uop.map "fma"(%a, %b, %c) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    uop.yield %d : tensor<2xf32>
  }
  func.return %s : tensor<2xf32>
}

// -----

// What is computed once in a step is kept once, whoever asks for it.
// CHECK-LABEL: func.func @twice
// CHECK: %s, [[R:%.*]] = uop.iterate(%i : tensor<2xf32>) over() with() times <() -> (3)> reverse false -> tensor<2xf32>, tensor<3x2xf32> {
// CHECK: uop.yield [[E:%.*]], [[E]] : tensor<2xf32>, tensor<2xf32>
// CHECK: func.return %s, [[R]], [[R]]
func.func @twice(%i: tensor<2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %s, %r, %t = uop.iterate (%i : tensor<2xf32>) over () with () times <() -> (3)> reverse false -> tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %e = uop.map "exp"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    uop.yield %e, %e, %e : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  func.return %s, %r, %t : tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}

// -----

// Left alone: steps of which nobody uses anything, which go as a whole with `dce`.
// CHECK-LABEL: func.func @nobody
// CHECK: uop.iterate(%i : tensor<2xf32>) over() with() times <() -> (3)> reverse false -> tensor<2xf32> {
func.func @nobody(%i: tensor<2xf32>) -> tensor<2xf32> {
  %s = uop.iterate (%i : tensor<2xf32>) over () with () times <() -> (3)> reverse false -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %b = uop.map "exp"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    uop.yield %b : tensor<2xf32>
  }
  func.return %i : tensor<2xf32>
}
