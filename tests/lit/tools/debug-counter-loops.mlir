// Debug counters know each read that is inlined, and each pair of blocks and loops that is fused.
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline' --mlir-debug-counter=loop-inline-count=0 | filecheck %s --check-prefix=STORED
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-inline' --debug-only=loop-inline -o %t.out 2>&1 | filecheck %s --check-prefix=INLINED
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-fuse' --mlir-debug-counter=loop-fuse-count=0 | filecheck %s --check-prefix=APART
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-fuse' --mlir-debug-counter=loop-fuse-count=1 | filecheck %s --check-prefix=MERGED
// RUN: stepwell-opt %s -p 'lower-uop-to-loop,loop-fuse' --debug-only=loop-fuse -o %t.out 2>&1 | filecheck %s --check-prefix=FUSED

// STORED: loop.alloc
// INLINED: remark: loop-inline: rewrite 0: 'loop.load'

// APART-COUNT-2: loop.block
// MERGED-COUNT-1: loop.block
// MERGED-COUNT-2: loop.for
// FUSED: remark: loop-fuse: rewrite 0: 'loop.block'
// FUSED: remark: loop-fuse: rewrite 1: 'loop.for'

func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %0 = uop.map "exp"(%x) : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  %1 = uop.map "add"(%0, %x) : (tensor<?xf32, #sw.shape<[n]>>, tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %1 : tensor<?xf32, #sw.shape<[n]>>
}
