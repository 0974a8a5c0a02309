// A lowering pass rejects operations of higher levels; lowering never goes up.
// RUN: not stepwell-opt %s -p lower-uop-to-loop 2>&1 | filecheck %s --check-prefix=UOP
// RUN: not stepwell-opt %s -p lower-loop-to-cloop 2>&1 | filecheck %s --check-prefix=LOOP
// RUN: not stepwell-opt %s -p lower-graph-to-uop,lower-loop-to-tile 2>&1 | filecheck %s --check-prefix=TILE
// RUN: stepwell-opt %s -p lower-graph-to-uop,lower-uop-to-loop,lower-graph-to-uop,lower-uop-to-loop | filecheck %s --check-prefix=TWICE
// RUN: stepwell-opt %s --emit=uop | not stepwell-opt --emit=graph 2>&1 | filecheck %s --check-prefix=UP
// RUN: stepwell-opt %s --emit=loop | not stepwell-opt --emit=uop 2>&1 | filecheck %s --check-prefix=UP-TWO

// UOP: levels.mlir:[[# @LINE + 5]]:8: error: 'graph.exp' is above the level 'uop' that 'lower-uop-to-loop' lowers from
// LOOP: levels.mlir:[[# @LINE + 4]]:8: error: 'graph.exp' is above the level 'loop' that 'lower-loop-to-cloop' lowers from
// TILE: levels.mlir:[[# @LINE + 3]]:8: error: 'uop.map' is above the level 'loop' that 'lower-loop-to-tile' lowers from
func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  // TWICE-COUNT-1: loop.for
  %0 = graph.exp %x : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>>
  func.return %0 : tensor<?xf32, #sw.shape<[n]>>
}
// UP: error: cannot lower from 'uop' to 'graph': lowering goes graph -> uop
// UP-TWO: error: cannot lower from 'loop' to 'uop': lowering goes graph -> uop -> loop -> scheduled -> cloop
