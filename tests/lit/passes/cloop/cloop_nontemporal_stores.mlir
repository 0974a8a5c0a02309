// RUN: stepwell-opt %s -p cloop-nontemporal-stores{from-bytes=4096} --split-input-file | filecheck %s
// RUN: stepwell-opt %s -p cloop-nontemporal-stores{from-bytes=4096},cloop-invariant-code-motion --split-input-file | filecheck %s --check-prefix=HOIST
// RUN: stepwell-opt %s -p cloop-nontemporal-stores{from-bytes=4096} --split-input-file --emit=c | filecheck %s --check-prefix=C

// A result of n numbers: vector stores are non-temporal where n is large, the remainder and scalars are not.
// CHECK-LABEL: @large
// CHECK: cloop.store %{{.*}} into %y[%i] <(d0) -> (d0)> streaming <(d0) -> (n - 1024)>
// CHECK: cloop.store %{{.*}} into %y[%{{.*}}] <(d0) -> (d0)> : f32
// C: sw_stream_f32x16(sw_{{.*}}_y + ({{.*}}), {{.*}}, sw_{{.*}}_n - 1024 >= 0);
// C: __atomic_thread_fence(__ATOMIC_SEQ_CST);
func.func public @large(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>]} {
  cloop.for <() -> (0, (n floordiv 16) * 16)> step 16 {
  ^bb0(%i: index):
    %v = cloop.load %x[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
    cloop.store %v into %y[%i] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
  }
  cloop.for <() -> ((n floordiv 16) * 16, n)> step 1 {
  ^bb0(%i: index):
    %v = cloop.load %x[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> f32
    cloop.store %v into %y[%i] <(d0) -> (d0)> : f32, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}

// -----

// Index arithmetic of the address moves out of the loop, and the condition stays what it was.
// C: sw_stream_f32x16(sw_{{.*}}_y + (sw_{{.*}}_j + ((sw_{{.*}}_i) >> 4)),
// HOIST-LABEL: @hoisted
// HOIST: cloop.store %{{.*}} into %y[%{{.*}}, %{{.*}}] <{{.*}}> streaming <(d0, d1) -> (n - 1024)>
func.func public @hoisted(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>]} {
  cloop.for <() -> (0, n)> step 1 {
  ^bb0(%i: index):
    cloop.for <() -> (0, 16)> step 16 {
    ^bb0(%j: index):
      %v = cloop.load %x[%j : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
      cloop.store %v into %y[%i, %j] <(d0, d1) -> (d0 floordiv 16 + d1)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
    }
  }
  func.return
}

// -----

// Known to be small, and another one that is read again: left alone.
// CHECK-LABEL: @left
// CHECK-NOT: streaming
// C: sw_main(
// C-NOT: sw_stream
// C-NOT: __atomic_thread_fence
func.func public @left(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">, %z: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 1 : i64, sw.types = [memref<4096xf32>, memref<64xf32>, memref<4096xf32>]} {
  cloop.for <() -> (0, 64)> step 16 {
  ^bb0(%i: index):
    %v = cloop.load %x[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
    cloop.store %v into %y[%i] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
    cloop.store %v into %z[%i] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
    %w = cloop.load %z[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
    cloop.store %w into %y[%i] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}

// -----

// The next step reads what a step gives.
// C: #include
// CHECK-LABEL: @step
// CHECK: cloop.store %{{.*}} into %y[%i] <(d0) -> (d0)> streaming <(d0) -> (n - 4096)>
func.func private @step(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>]} {
  cloop.for <() -> (0, (n floordiv 16) * 16)> step 16 {
  ^bb0(%i: index):
    %v = cloop.load %x[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
    cloop.store %v into %y[%i] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}
func.func public @main(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>]} {
  cloop.call @step(%x, %y) : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "restrict">
  func.return
}

// -----

// Loops that are written out ask once for all of their stores, where these ask for the same.
// CHECK-LABEL: @tile
// CHECK: %[[ASKED:.*]] = cloop.test[] <() -> (n * 32 - 1024)> : () -> i1
// CHECK: cloop.if %[[ASKED]] {
// CHECK: cloop.for <() -> (0, 4)> step 1 unroll
// CHECK: cloop.for <() -> (0, 32)> step 16 unroll
// CHECK: cloop.store %{{.*}} into %y{{.*}} streaming <(d0, d1) -> (0)>
// CHECK: } else {
// CHECK: cloop.for <() -> (0, 4)> step 1 unroll
// CHECK: cloop.for <() -> (0, 32)> step 16 unroll
// CHECK-NOT: streaming
// CHECK: cloop.for <() -> (0, 2)> step 1 unroll
// CHECK-NOT: cloop.for
// CHECK: cloop.store %{{.*}} into %y{{.*}} streaming <(d0) -> (n * 32 - 1024)>
// CHECK: cloop.store %{{.*}} into %z{{.*}} streaming <(d0) -> (min(m * 4 + n * 128 - 8192, m * 4 - 4096))>
// C: const bool [[ASKED:.*]] = sw_{{.*}}_n * 32 - 1024 >= 0;
// C: if ([[ASKED]]) {
// C: sw_stream_f32x16(sw_{{.*}}_y + ({{.*}}), {{.*}}, 0 >= 0);
// C: else {
// C: sw_store_f32x16(sw_{{.*}}_y
func.func public @tile(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">, %z: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64, sw.types = [memref<?xf32, {shape = #sw.shape<[n * 32]>}>, memref<?xf32, {shape = #sw.shape<[n * 32]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>]} {
  cloop.for <() -> (0, 4)> step 1 unroll {
  ^bb0(%i: index):
    cloop.for <() -> (0, 32)> step 16 unroll {
    ^bb0(%j: index):
      %v = cloop.load %x[%i, %j : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
      cloop.store %v into %y[%i, %j] <(d0, d1) -> (d0 * 32 + d1)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
    }
  }
  cloop.for <() -> (0, 2)> step 1 unroll {
  ^bb0(%i: index):
    %v = cloop.load %x[%i : index] <(d0) -> (d0 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
    cloop.store %v into %y[%i] <(d0) -> (d0 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
    cloop.store %v into %z[%i] <(d0) -> (d0 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}

// -----

// What always goes past the caches need not ask.
// C: #include
// CHECK-LABEL: @fixed
// CHECK-NOT: cloop.if
// CHECK: cloop.store %{{.*}} into %y{{.*}} streaming <(d0) -> (3072)>
func.func public @fixed(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = [], sw.inputs = 1 : i64, sw.types = [memref<4096xf32>, memref<4096xf32>]} {
  cloop.for <() -> (0, 4)> step 1 unroll {
  ^bb0(%i: index):
    %v = cloop.load %x[%i : index] <(d0) -> (d0 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
    cloop.store %v into %y[%i] <(d0) -> (d0 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}

// -----

// A program that reads less than it writes: both together are twice as large, or the result stays in the cache.
// CHECK-LABEL: @outer
// CHECK: streaming <(d0) -> (min(m * n * 4 + n * 4 - 8192, m * n * 4 - 4096))>
// C: sw_min(
func.func public @outer(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64, sw.types = [memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
  cloop.for <() -> (0, n)> step 16 {
  ^bb0(%i: index):
    %v = cloop.load %x[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
    cloop.store %v into %y[%i] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}

// -----

// A temporary that a caller gives is no input: its type tells no size.
// CHECK-LABEL: @given
// CHECK: streaming <(d0) -> (n - 4096)>
func.func private @given(%x: !cloop.ptr<f32, "const">, %t: !cloop.ptr<i8, "restrict">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 2 : i64, sw.types = [memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?xi8>, memref<?xf32, {shape = #sw.shape<[n]>}>], sw.temporaries = [#sw.map<() -> (n, 0)>]} {
  cloop.for <() -> (0, n)> step 16 {
  ^bb0(%i: index):
    %v = cloop.load %x[%i : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
    cloop.store %v into %y[%i] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
  }
  func.return
}
func.func public @other(%x: !cloop.ptr<f32, "const">) attributes {sw.params = [], sw.inputs = 1 : i64, sw.types = [memref<4xf32>]} {
  func.return
}

// -----

// Rows of m numbers are whole lines where m is a multiple of 16, whatever the steps through them. Those that begin with the ninth
// number of the result never are.
// CHECK-LABEL: @rows
// CHECK: cloop.store %{{.*}} into %y[%i, %j] <(d0, d1) -> (d0 * m + d1)> streaming <(d0, d1) -> (min(-(m mod 16), m * n - 1024))>
// CHECK: cloop.store %{{.*}} into %y[%i, %j] <(d0, d1) -> (d0 * m + d1 + 8)> :
// CHECK: cloop.store %{{.*}} into %z[%i, %j] <(d0, d1) -> (d0 * 32 + d1)> streaming <(d0, d1) -> (min(m * n * 4 + n * 128 - 8192, n * 128 - 4096))>
func.func public @rows(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">, %z: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "m"], sw.inputs = 1 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>, memref<?x32xf32, {shape = #sw.shape<[n, 32]>}>]} {
  cloop.for <() -> (0, n)> step 1 {
  ^bb0(%i: index):
    cloop.for <() -> (0, 16)> step 16 {
    ^bb0(%j: index):
      %v = cloop.load %x[%j : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
      cloop.store %v into %y[%i, %j] <(d0, d1) -> (d0 * m + d1)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
      cloop.store %v into %y[%i, %j] <(d0, d1) -> (d0 * m + d1 + 8)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
      cloop.store %v into %z[%i, %j] <(d0, d1) -> (d0 * 32 + d1)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
    }
  }
  func.return
}

// -----

// Rows that begin at a product of indices: each store tests its own address.
// CHECK-LABEL: @product_of_indices
// CHECK: cloop.store %{{.*}} into %y[%{{.*}}] <{{.*}}> streaming <(d0, d1, d2) -> (n - 1024)>
func.func public @product_of_indices(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>]} {
  cloop.for <() -> (0, 8)> step 1 {
  ^bb0(%i: index):
    cloop.for <() -> (0, 8)> step 1 {
    ^bb0(%j: index):
      cloop.for <() -> (0, 16)> step 16 {
      ^bb0(%k: index):
        %v = cloop.load %x[%k : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
        cloop.store %v into %y[%i, %j, %k] <(d0, d1, d2) -> (d0 * d1 * 3 + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
      }
    }
  }
  func.return
}

// -----

// So does one whose row begins at a quotient of an index times a size.
// CHECK-LABEL: @product_with_a_quotient
// CHECK: cloop.store %{{.*}} into %y[%{{.*}}] <{{.*}}> streaming <(d0, d1, d2) -> (n - 1024)>
func.func public @product_with_a_quotient(%x: !cloop.ptr<f32, "const">, %y: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n"], sw.inputs = 1 : i64, sw.types = [memref<?xf32, {shape = #sw.shape<[n]>}>, memref<?xf32, {shape = #sw.shape<[n]>}>]} {
  cloop.for <() -> (0, 8)> step 1 {
  ^bb0(%i: index):
    cloop.for <() -> (0, 8)> step 1 {
    ^bb0(%j: index):
      cloop.for <() -> (0, 16)> step 16 {
      ^bb0(%k: index):
        %v = cloop.load %x[%k : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
        cloop.store %v into %y[%i, %j, %k] <(d0, d1, d2) -> ((d0 * 3) floordiv 2 * n + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
      }
    }
  }
  func.return
}
