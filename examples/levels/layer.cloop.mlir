builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (m div 16)> : () -> i64
    %1 = cloop.index[] <() -> (m div 64)> : () -> i64
    %2 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %3 = cloop.index[] <() -> (max(1, k))> : () -> i64
    %4 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %5 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %6 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %7 = cloop.index[] <() -> (m floordiv 64)> : () -> i64
    %8 = cloop.index[] <() -> ((m floordiv 64 + 15) floordiv 16)> : () -> i64
    %9 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %10 = cloop.index[] <() -> (min(256, k))> : () -> i64
    %11 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %12 = cloop.index[] <() -> ((max(1, k) + 255) floordiv 256)> : () -> i64
    %13 = cloop.index[] <() -> (((m + 31) floordiv 32 + 63) floordiv 64)> : () -> i64
    %14 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %15 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %16 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %17 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, "">
    %18 = cloop.slice %17 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %19 = cloop.slice %17 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %20 = cloop.slice %17 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %21 = cloop.slice %17 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %17 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %22 = cloop.test[%16] <(d0) -> (d0 - 1)> : (i64) -> i1
      cloop.if %22 {
        cloop.for <() -> (0, k)> step 256 {
        ^bb0(%depth: index):
          %23 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
          %24 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
          cloop.for[%15, %14 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * 16384 - 32768)> {
          ^bb0(%panel: index):
            %25 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %26 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %27 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %27 {
              cloop.for[%24 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                %28 = cloop.load %w[%depth, %panel, %k : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 * 32 + d2 * m)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %28 into %right[%panel, %k, %15, %23] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %29 = cloop.load %w[%depth, %panel, %k : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 * 32 + d2 * m + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %29 into %right[%panel, %k, %15, %23] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            } else {
              cloop.for[%24 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %30 = cloop.constant 0.000000e+00 : f32
                %31 = cloop.broadcast %30 : f32 -> vector<16xf32>
                %32 = cloop.partial_load %w[%depth, %panel, %k_1, %26] <(d0, d1, d2, d3) -> (d0 * m + d1 * 32 + d2 * m, 0, d3)> else %31 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %32 into %right[%panel, %k_1, %15, %23] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %33 = cloop.constant 0.000000e+00 : f32
                %34 = cloop.broadcast %33 : f32 -> vector<16xf32>
                %35 = cloop.partial_load %w[%depth, %panel, %k_1, %25] <(d0, d1, d2, d3) -> (d0 * m + d1 * 32 + d2 * m + 16, 0, d3)> else %34 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %35 into %right[%panel, %k_1, %15, %23] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      cloop.for[%16, %13, %12, %11, %10, %9, %8, %7 : i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1 * d2 * d3 * 98304 + d1 * d2 * d3 * d4 * 18432 + d3 * 20480 + d3 * d5 * 3072 + d3 * d6 * 8192 + d3 * d6 * d7 * 4096 - d3 * d7 * 4096 - 32768)> {
      ^bb0(%strip: index):
        %36 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %37 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %38 = cloop.thread : i64
        %strip_1 = cloop.offset %21[%38, %6] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %39 = cloop.thread : i64
        %kept = cloop.offset %20[%39, %5, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
        cloop.for[%15 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %40 = cloop.index[%columns, %15] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %41 = cloop.index[%columns, %15] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
          cloop.for[%3 : i64] <(d0) -> (0, d0)> step 256 {
          ^bb0(%depth_1: index):
            %42 = cloop.index[%depth_1] <(d0) -> (d0 div 256)> : (index) -> i64
            %43 = cloop.index[%depth_1] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            cloop.for[%37 : i64] <(d0) -> (0, d0)> step 256 {
            ^bb0(%rows: index):
              %44 = cloop.index[%rows, %37] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
              cloop.for[%rows, %41, %37 : index, i64, i64] <(d0, d1, d2) -> (0, d1 * ((min(-d0 + d2, 256) + 15) floordiv 16))> step 1 {
              ^bb0(%group: index):
                %45 = cloop.index[%group, %41, %44] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                %46 = cloop.index[%group, %41] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                cloop.for[%group, %41, %40 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                ^bb0(%p: index):
                  cloop.for[%46, %45 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                  ^bb0(%q: index):
                    %47 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(-d0 * 8 - d1 * 8 + d2, 8))> : (index, index, i64) -> i64
                    %48 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 7, d2 - 1))> : (index, index, i64) -> i64
                    %49 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 6, d2 - 1))> : (index, index, i64) -> i64
                    %50 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 5, d2 - 1))> : (index, index, i64) -> i64
                    %51 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 4, d2 - 1))> : (index, index, i64) -> i64
                    %52 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 3, d2 - 1))> : (index, index, i64) -> i64
                    %53 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 2, d2 - 1))> : (index, index, i64) -> i64
                    %54 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 1, d2 - 1))> : (index, index, i64) -> i64
                    %55 = cloop.index[%rows, %q, %36] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8, d2 - 1))> : (index, index, i64) -> i64
                    %56 = cloop.constant 0.000000e+00 : f32
                    %57 = cloop.broadcast %56 : f32 -> vector<16xf32>
                    %tile0x0x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile0x1x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile1x0x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile1x1x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile2x0x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile2x1x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile3x0x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile3x1x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile4x0x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile4x1x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile5x0x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile5x1x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile6x0x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile6x1x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile7x0x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %tile7x1x0 = cloop.variable %57 : vector<16xf32> -> vector<16xf32>
                    %58 = cloop.constant 0.000000e+00 : f32
                    %59 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile0x0x0, %59 : vector<16xf32>, vector<16xf32>
                    %60 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile0x1x0, %60 : vector<16xf32>, vector<16xf32>
                    %61 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile1x0x0, %61 : vector<16xf32>, vector<16xf32>
                    %62 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile1x1x0, %62 : vector<16xf32>, vector<16xf32>
                    %63 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile2x0x0, %63 : vector<16xf32>, vector<16xf32>
                    %64 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile2x1x0, %64 : vector<16xf32>, vector<16xf32>
                    %65 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile3x0x0, %65 : vector<16xf32>, vector<16xf32>
                    %66 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile3x1x0, %66 : vector<16xf32>, vector<16xf32>
                    %67 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile4x0x0, %67 : vector<16xf32>, vector<16xf32>
                    %68 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile4x1x0, %68 : vector<16xf32>, vector<16xf32>
                    %69 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile5x0x0, %69 : vector<16xf32>, vector<16xf32>
                    %70 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile5x1x0, %70 : vector<16xf32>, vector<16xf32>
                    %71 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile6x0x0, %71 : vector<16xf32>, vector<16xf32>
                    %72 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile6x1x0, %72 : vector<16xf32>, vector<16xf32>
                    %73 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile7x0x0, %73 : vector<16xf32>, vector<16xf32>
                    %74 = cloop.broadcast %58 : f32 -> vector<16xf32>
                    cloop.assign %tile7x1x0, %74 : vector<16xf32>, vector<16xf32>
                    %75 = cloop.constant 0.000000e+00 : f32
                    %76 = cloop.broadcast %75 : f32 -> vector<16xf32>
                    %held0x0 = cloop.variable %76 : vector<16xf32> -> vector<16xf32>
                    %held1x0 = cloop.variable %76 : vector<16xf32> -> vector<16xf32>
                    cloop.for[%43 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_2: index):
                      %77 = cloop.load %right[%columns, %p, %k_2, %15, %42 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %held0x0, %77 : vector<16xf32>, vector<16xf32>
                      %78 = cloop.load %right[%columns, %p, %k_2, %15, %42 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %held1x0, %78 : vector<16xf32>, vector<16xf32>
                      %79 = cloop.load %x[%strip, %depth_1, %k_2, %55 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                      %80 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                      %81 = cloop.variable %held0x0 : vector<16xf32> -> vector<16xf32>
                      %82 = cloop.broadcast %79 : f32 -> vector<16xf32>
                      %83 = cloop.compute "fma"(%82, %81, %80) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x0x0, %83 : vector<16xf32>, vector<16xf32>
                      %84 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                      %85 = cloop.variable %held1x0 : vector<16xf32> -> vector<16xf32>
                      %86 = cloop.broadcast %79 : f32 -> vector<16xf32>
                      %87 = cloop.compute "fma"(%86, %85, %84) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x1x0, %87 : vector<16xf32>, vector<16xf32>
                      %88 = cloop.load %x[%strip, %depth_1, %k_2, %54 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                      %89 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                      %90 = cloop.variable %held0x0 : vector<16xf32> -> vector<16xf32>
                      %91 = cloop.broadcast %88 : f32 -> vector<16xf32>
                      %92 = cloop.compute "fma"(%91, %90, %89) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x0x0, %92 : vector<16xf32>, vector<16xf32>
                      %93 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                      %94 = cloop.variable %held1x0 : vector<16xf32> -> vector<16xf32>
                      %95 = cloop.broadcast %88 : f32 -> vector<16xf32>
                      %96 = cloop.compute "fma"(%95, %94, %93) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x1x0, %96 : vector<16xf32>, vector<16xf32>
                      %97 = cloop.load %x[%strip, %depth_1, %k_2, %53 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                      %98 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                      %99 = cloop.variable %held0x0 : vector<16xf32> -> vector<16xf32>
                      %100 = cloop.broadcast %97 : f32 -> vector<16xf32>
                      %101 = cloop.compute "fma"(%100, %99, %98) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x0x0, %101 : vector<16xf32>, vector<16xf32>
                      %102 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                      %103 = cloop.variable %held1x0 : vector<16xf32> -> vector<16xf32>
                      %104 = cloop.broadcast %97 : f32 -> vector<16xf32>
                      %105 = cloop.compute "fma"(%104, %103, %102) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x1x0, %105 : vector<16xf32>, vector<16xf32>
                      %106 = cloop.load %x[%strip, %depth_1, %k_2, %52 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                      %107 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                      %108 = cloop.variable %held0x0 : vector<16xf32> -> vector<16xf32>
                      %109 = cloop.broadcast %106 : f32 -> vector<16xf32>
                      %110 = cloop.compute "fma"(%109, %108, %107) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x0x0, %110 : vector<16xf32>, vector<16xf32>
                      %111 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                      %112 = cloop.variable %held1x0 : vector<16xf32> -> vector<16xf32>
                      %113 = cloop.broadcast %106 : f32 -> vector<16xf32>
                      %114 = cloop.compute "fma"(%113, %112, %111) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x1x0, %114 : vector<16xf32>, vector<16xf32>
                      %115 = cloop.load %x[%strip, %depth_1, %k_2, %51 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                      %116 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                      %117 = cloop.variable %held0x0 : vector<16xf32> -> vector<16xf32>
                      %118 = cloop.broadcast %115 : f32 -> vector<16xf32>
                      %119 = cloop.compute "fma"(%118, %117, %116) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x0x0, %119 : vector<16xf32>, vector<16xf32>
                      %120 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                      %121 = cloop.variable %held1x0 : vector<16xf32> -> vector<16xf32>
                      %122 = cloop.broadcast %115 : f32 -> vector<16xf32>
                      %123 = cloop.compute "fma"(%122, %121, %120) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x1x0, %123 : vector<16xf32>, vector<16xf32>
                      %124 = cloop.load %x[%strip, %depth_1, %k_2, %50 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                      %125 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                      %126 = cloop.variable %held0x0 : vector<16xf32> -> vector<16xf32>
                      %127 = cloop.broadcast %124 : f32 -> vector<16xf32>
                      %128 = cloop.compute "fma"(%127, %126, %125) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x0x0, %128 : vector<16xf32>, vector<16xf32>
                      %129 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                      %130 = cloop.variable %held1x0 : vector<16xf32> -> vector<16xf32>
                      %131 = cloop.broadcast %124 : f32 -> vector<16xf32>
                      %132 = cloop.compute "fma"(%131, %130, %129) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x1x0, %132 : vector<16xf32>, vector<16xf32>
                      %133 = cloop.load %x[%strip, %depth_1, %k_2, %49 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                      %134 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                      %135 = cloop.variable %held0x0 : vector<16xf32> -> vector<16xf32>
                      %136 = cloop.broadcast %133 : f32 -> vector<16xf32>
                      %137 = cloop.compute "fma"(%136, %135, %134) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x0x0, %137 : vector<16xf32>, vector<16xf32>
                      %138 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                      %139 = cloop.variable %held1x0 : vector<16xf32> -> vector<16xf32>
                      %140 = cloop.broadcast %133 : f32 -> vector<16xf32>
                      %141 = cloop.compute "fma"(%140, %139, %138) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x1x0, %141 : vector<16xf32>, vector<16xf32>
                      %142 = cloop.load %x[%strip, %depth_1, %k_2, %48 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                      %143 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                      %144 = cloop.variable %held0x0 : vector<16xf32> -> vector<16xf32>
                      %145 = cloop.broadcast %142 : f32 -> vector<16xf32>
                      %146 = cloop.compute "fma"(%145, %144, %143) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x0x0, %146 : vector<16xf32>, vector<16xf32>
                      %147 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                      %148 = cloop.variable %held1x0 : vector<16xf32> -> vector<16xf32>
                      %149 = cloop.broadcast %142 : f32 -> vector<16xf32>
                      %150 = cloop.compute "fma"(%149, %148, %147) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x1x0, %150 : vector<16xf32>, vector<16xf32>
                    }
                    %151 = cloop.test[%depth_1] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %151 {
                      %152 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %153 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                      %154 = cloop.compute "add"(%153, %152) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x0x0, %154 : vector<16xf32>, vector<16xf32>
                      %155 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %156 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                      %157 = cloop.compute "add"(%156, %155) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x1x0, %157 : vector<16xf32>, vector<16xf32>
                      %158 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %159 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                      %160 = cloop.compute "add"(%159, %158) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x0x0, %160 : vector<16xf32>, vector<16xf32>
                      %161 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %162 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                      %163 = cloop.compute "add"(%162, %161) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x1x0, %163 : vector<16xf32>, vector<16xf32>
                      %164 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %165 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                      %166 = cloop.compute "add"(%165, %164) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x0x0, %166 : vector<16xf32>, vector<16xf32>
                      %167 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %168 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                      %169 = cloop.compute "add"(%168, %167) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x1x0, %169 : vector<16xf32>, vector<16xf32>
                      %170 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %171 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                      %172 = cloop.compute "add"(%171, %170) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x0x0, %172 : vector<16xf32>, vector<16xf32>
                      %173 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %174 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                      %175 = cloop.compute "add"(%174, %173) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x1x0, %175 : vector<16xf32>, vector<16xf32>
                      %176 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %177 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                      %178 = cloop.compute "add"(%177, %176) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x0x0, %178 : vector<16xf32>, vector<16xf32>
                      %179 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %180 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                      %181 = cloop.compute "add"(%180, %179) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x1x0, %181 : vector<16xf32>, vector<16xf32>
                      %182 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %183 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                      %184 = cloop.compute "add"(%183, %182) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x0x0, %184 : vector<16xf32>, vector<16xf32>
                      %185 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %186 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                      %187 = cloop.compute "add"(%186, %185) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x1x0, %187 : vector<16xf32>, vector<16xf32>
                      %188 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %189 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                      %190 = cloop.compute "add"(%189, %188) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x0x0, %190 : vector<16xf32>, vector<16xf32>
                      %191 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %192 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                      %193 = cloop.compute "add"(%192, %191) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x1x0, %193 : vector<16xf32>, vector<16xf32>
                      %194 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %195 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                      %196 = cloop.compute "add"(%195, %194) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x0x0, %196 : vector<16xf32>, vector<16xf32>
                      %197 = cloop.load %kept[%rows, %p, %q, %2 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %198 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                      %199 = cloop.compute "add"(%198, %197) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x1x0, %199 : vector<16xf32>, vector<16xf32>
                    }
                    %200 = cloop.test[%depth_1] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %200 {
                      %201 = cloop.test[%columns, %rows, %p, %q, %36] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %201 {
                        %202 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %202 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %203 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %203 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %204 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %204 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %205 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %205 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %206 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %206 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %207 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %207 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %208 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %208 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %209 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %209 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %210 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %210 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %211 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %211 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %212 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %212 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %213 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %213 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %214 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %214 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %215 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %215 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %216 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %216 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %217 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %217 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                      } else {
                        %218 = cloop.thread : i64
                        %finished = cloop.offset %19[%218] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        %219 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %219 into %finished[] <() -> (0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %220 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %220 into %finished[] <() -> (16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %221 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %221 into %finished[] <() -> (32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %222 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %222 into %finished[] <() -> (48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %223 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %223 into %finished[] <() -> (64)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %224 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %224 into %finished[] <() -> (80)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %225 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %225 into %finished[] <() -> (96)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %226 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %226 into %finished[] <() -> (112)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %227 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %227 into %finished[] <() -> (128)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %228 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %228 into %finished[] <() -> (144)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %229 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %229 into %finished[] <() -> (160)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %230 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %230 into %finished[] <() -> (176)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %231 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %231 into %finished[] <() -> (192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %232 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %232 into %finished[] <() -> (208)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %233 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %233 into %finished[] <() -> (224)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        %234 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %234 into %finished[] <() -> (240)> : vector<16xf32>, !cloop.ptr<f32, "restrict">
                        cloop.for[%47 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector: index):
                            %235 = cloop.load %finished[%row, %vector : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            cloop.partial_store %235 into %strip_1[%columns, %rows, %p, %q, %row, %vector] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      %236 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %236 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %237 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %237 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %238 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %238 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %239 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %239 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %240 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %240 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %241 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %241 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %242 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %242 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %243 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %243 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %244 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %244 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %245 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %245 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %246 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %246 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %247 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %247 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %248 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %248 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %249 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %249 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %250 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %250 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %251 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %251 into %kept[%rows, %p, %q, %2] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                    }
                  }
                }
              }
            }
          }
        }
        cloop.for[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i: index):
          %252 = cloop.thread : i64
          %253 = cloop.offset %18[%252, %9] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %254 = cloop.constant 0xff800000 : f32
          %255 = cloop.constant 0.000000e+00 : f32
          %256 = cloop.broadcast %255 : f32 -> vector<16xf32>
          %partial0x0 = cloop.variable %256 : vector<16xf32> -> vector<16xf32>
          %partial1x0 = cloop.variable %256 : vector<16xf32> -> vector<16xf32>
          %partial2x0 = cloop.variable %256 : vector<16xf32> -> vector<16xf32>
          %partial3x0 = cloop.variable %256 : vector<16xf32> -> vector<16xf32>
          %257 = cloop.broadcast %254 : f32 -> vector<16xf32>
          cloop.assign %partial0x0, %257 : vector<16xf32>, vector<16xf32>
          %258 = cloop.broadcast %254 : f32 -> vector<16xf32>
          cloop.assign %partial1x0, %258 : vector<16xf32>, vector<16xf32>
          %259 = cloop.broadcast %254 : f32 -> vector<16xf32>
          cloop.assign %partial2x0, %259 : vector<16xf32>, vector<16xf32>
          %260 = cloop.broadcast %254 : f32 -> vector<16xf32>
          cloop.assign %partial3x0, %260 : vector<16xf32>, vector<16xf32>
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 64 {
          ^bb0(%j: index):
            %261 = cloop.load %strip_1[%i, %j : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %262 = cloop.load %b[%j : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %263 = cloop.compute "add"(%261, %262) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %264 = cloop.constant 0.000000e+00 : f32
            %265 = cloop.broadcast %264 : f32 -> vector<16xf32>
            %266 = cloop.compute "max"(%263, %265) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %267 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
            %268 = cloop.compute "max"(%267, %266) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0, %268 : vector<16xf32>, vector<16xf32>
            %269 = cloop.load %strip_1[%i, %j : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %270 = cloop.load %b[%j : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %271 = cloop.compute "add"(%269, %270) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %272 = cloop.constant 0.000000e+00 : f32
            %273 = cloop.broadcast %272 : f32 -> vector<16xf32>
            %274 = cloop.compute "max"(%271, %273) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %275 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
            %276 = cloop.compute "max"(%275, %274) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial1x0, %276 : vector<16xf32>, vector<16xf32>
            %277 = cloop.load %strip_1[%i, %j : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %278 = cloop.load %b[%j : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %279 = cloop.compute "add"(%277, %278) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %280 = cloop.constant 0.000000e+00 : f32
            %281 = cloop.broadcast %280 : f32 -> vector<16xf32>
            %282 = cloop.compute "max"(%279, %281) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %283 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
            %284 = cloop.compute "max"(%283, %282) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial2x0, %284 : vector<16xf32>, vector<16xf32>
            %285 = cloop.load %strip_1[%i, %j : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %286 = cloop.load %b[%j : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %287 = cloop.compute "add"(%285, %286) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %288 = cloop.constant 0.000000e+00 : f32
            %289 = cloop.broadcast %288 : f32 -> vector<16xf32>
            %290 = cloop.compute "max"(%287, %289) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %291 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
            %292 = cloop.compute "max"(%291, %290) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial3x0, %292 : vector<16xf32>, vector<16xf32>
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_1: index):
            %293 = cloop.constant 0.000000e+00 : f32
            %294 = cloop.broadcast %293 : f32 -> vector<16xf32>
            %295 = cloop.partial_load %strip_1[%i, %j_1] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %294 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %296 = cloop.constant 0.000000e+00 : f32
            %297 = cloop.broadcast %296 : f32 -> vector<16xf32>
            %298 = cloop.partial_load %b[%j_1] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %297 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %299 = cloop.compute "add"(%295, %298) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %300 = cloop.constant 0.000000e+00 : f32
            %301 = cloop.broadcast %300 : f32 -> vector<16xf32>
            %302 = cloop.compute "max"(%299, %301) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %303 = cloop.index[] <() -> (0)> : () -> i64
            %304 = cloop.index[%j_1] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %305 = cloop.lanes 0 : vector<16xi32>
            %306 = cloop.cast %303 : i64 -> i32
            %307 = cloop.cast %304 : i64 -> i32
            %308 = cloop.broadcast %306 : i32 -> vector<16xi32>
            %309 = cloop.compute "ge"(%305, %308) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %310 = cloop.broadcast %307 : i32 -> vector<16xi32>
            %311 = cloop.compute "lt"(%305, %310) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %312 = cloop.compute "and"(%309, %311) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %313 = cloop.broadcast %254 : f32 -> vector<16xf32>
            %314 = cloop.compute "select"(%312, %302, %313) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %315 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
            %316 = cloop.compute "max"(%315, %314) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0, %316 : vector<16xf32>, vector<16xf32>
          }
          %317 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
          %318 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %319 = cloop.compute "max"(%318, %317) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %319 : vector<16xf32>, vector<16xf32>
          %320 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
          %321 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %322 = cloop.compute "max"(%321, %320) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %322 : vector<16xf32>, vector<16xf32>
          %323 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
          %324 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %325 = cloop.compute "max"(%324, %323) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %325 : vector<16xf32>, vector<16xf32>
          %326 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %327 = cloop.fold "max" %326 : vector<16xf32> -> f32
          %328 = cloop.compute "max"(%254, %327) : (f32, f32) -> f32
          %329 = cloop.constant 0.000000e+00 : f64
          %330 = cloop.constant 0.000000e+00 : f32
          %331 = cloop.broadcast %330 : f32 -> vector<16xf32>
          %partial0x0_1 = cloop.variable %331 : vector<16xf32> -> vector<16xf32>
          %partial1x0_1 = cloop.variable %331 : vector<16xf32> -> vector<16xf32>
          %partial2x0_1 = cloop.variable %331 : vector<16xf32> -> vector<16xf32>
          %partial3x0_1 = cloop.variable %331 : vector<16xf32> -> vector<16xf32>
          %332 = cloop.constant 0.000000e+00 : f64
          %333 = cloop.broadcast %332 : f64 -> vector<8xf64>
          %partial0 = cloop.variable %333 : vector<8xf64> -> vector<8xf64>
          %partial0_1 = cloop.variable %333 : vector<8xf64> -> vector<8xf64>
          %334 = cloop.constant 0.000000e+00 : f32
          %335 = cloop.broadcast %334 : f32 -> vector<16xf32>
          cloop.assign %partial0x0_1, %335 : vector<16xf32>, vector<16xf32>
          %336 = cloop.constant 0.000000e+00 : f32
          %337 = cloop.broadcast %336 : f32 -> vector<16xf32>
          cloop.assign %partial1x0_1, %337 : vector<16xf32>, vector<16xf32>
          %338 = cloop.constant 0.000000e+00 : f32
          %339 = cloop.broadcast %338 : f32 -> vector<16xf32>
          cloop.assign %partial2x0_1, %339 : vector<16xf32>, vector<16xf32>
          %340 = cloop.constant 0.000000e+00 : f32
          %341 = cloop.broadcast %340 : f32 -> vector<16xf32>
          cloop.assign %partial3x0_1, %341 : vector<16xf32>, vector<16xf32>
          %342 = cloop.broadcast %329 : f64 -> vector<8xf64>
          cloop.assign %partial0, %342 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial0_1, %342 : vector<8xf64>, vector<8xf64>
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 1024 {
          ^bb0(%chunk: index):
            cloop.for[%chunk, %1 : index, i64] <(d0, d1) -> (d0, min(d0 + 1024, d1 * 64))> step 64 {
            ^bb0(%j_2: index):
              %343 = cloop.load %strip_1[%i, %j_2 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %344 = cloop.load %b[%j_2 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %345 = cloop.compute "add"(%343, %344) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %346 = cloop.constant 0.000000e+00 : f32
              %347 = cloop.broadcast %346 : f32 -> vector<16xf32>
              %348 = cloop.compute "max"(%345, %347) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %349 = cloop.broadcast %328 : f32 -> vector<16xf32>
              %350 = cloop.compute "sub"(%348, %349) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %351 = cloop.compute "exp"(%350) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %351 into %253[%j_2] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %352 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
              %353 = cloop.compute "add"(%352, %351) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial0x0_1, %353 : vector<16xf32>, vector<16xf32>
              %354 = cloop.load %strip_1[%i, %j_2 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %355 = cloop.load %b[%j_2 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %356 = cloop.compute "add"(%354, %355) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %357 = cloop.constant 0.000000e+00 : f32
              %358 = cloop.broadcast %357 : f32 -> vector<16xf32>
              %359 = cloop.compute "max"(%356, %358) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %360 = cloop.broadcast %328 : f32 -> vector<16xf32>
              %361 = cloop.compute "sub"(%359, %360) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %362 = cloop.compute "exp"(%361) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %362 into %253[%j_2] <(d0) -> (d0 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %363 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
              %364 = cloop.compute "add"(%363, %362) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial1x0_1, %364 : vector<16xf32>, vector<16xf32>
              %365 = cloop.load %strip_1[%i, %j_2 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %366 = cloop.load %b[%j_2 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %367 = cloop.compute "add"(%365, %366) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %368 = cloop.constant 0.000000e+00 : f32
              %369 = cloop.broadcast %368 : f32 -> vector<16xf32>
              %370 = cloop.compute "max"(%367, %369) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %371 = cloop.broadcast %328 : f32 -> vector<16xf32>
              %372 = cloop.compute "sub"(%370, %371) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %373 = cloop.compute "exp"(%372) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %373 into %253[%j_2] <(d0) -> (d0 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %374 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
              %375 = cloop.compute "add"(%374, %373) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial2x0_1, %375 : vector<16xf32>, vector<16xf32>
              %376 = cloop.load %strip_1[%i, %j_2 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %377 = cloop.load %b[%j_2 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %378 = cloop.compute "add"(%376, %377) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %379 = cloop.constant 0.000000e+00 : f32
              %380 = cloop.broadcast %379 : f32 -> vector<16xf32>
              %381 = cloop.compute "max"(%378, %380) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %382 = cloop.broadcast %328 : f32 -> vector<16xf32>
              %383 = cloop.compute "sub"(%381, %382) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %384 = cloop.compute "exp"(%383) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %384 into %253[%j_2] <(d0) -> (d0 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %385 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
              %386 = cloop.compute "add"(%385, %384) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial3x0_1, %386 : vector<16xf32>, vector<16xf32>
            }
            %387 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
            %388 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %389 = cloop.compute "add"(%388, %387) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %389 : vector<16xf32>, vector<16xf32>
            %390 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
            %391 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %392 = cloop.compute "add"(%391, %390) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %392 : vector<16xf32>, vector<16xf32>
            %393 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
            %394 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %395 = cloop.compute "add"(%394, %393) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %395 : vector<16xf32>, vector<16xf32>
            %396 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %397 = cloop.shuffle %396 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %398 = cloop.shuffle %396 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %399 = cloop.cast %397 : vector<8xf32> -> vector<8xf64>
            %400 = cloop.cast %398 : vector<8xf32> -> vector<8xf64>
            %401 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
            %402 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
            %403 = cloop.compute "add"(%401, %399) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %404 = cloop.compute "add"(%402, %400) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial0, %403 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial0_1, %404 : vector<8xf64>, vector<8xf64>
            %405 = cloop.constant 0.000000e+00 : f32
            %406 = cloop.broadcast %405 : f32 -> vector<16xf32>
            cloop.assign %partial0x0_1, %406 : vector<16xf32>, vector<16xf32>
            %407 = cloop.constant 0.000000e+00 : f32
            %408 = cloop.broadcast %407 : f32 -> vector<16xf32>
            cloop.assign %partial1x0_1, %408 : vector<16xf32>, vector<16xf32>
            %409 = cloop.constant 0.000000e+00 : f32
            %410 = cloop.broadcast %409 : f32 -> vector<16xf32>
            cloop.assign %partial2x0_1, %410 : vector<16xf32>, vector<16xf32>
            %411 = cloop.constant 0.000000e+00 : f32
            %412 = cloop.broadcast %411 : f32 -> vector<16xf32>
            cloop.assign %partial3x0_1, %412 : vector<16xf32>, vector<16xf32>
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_3: index):
            %413 = cloop.constant 0.000000e+00 : f32
            %414 = cloop.broadcast %413 : f32 -> vector<16xf32>
            %415 = cloop.partial_load %strip_1[%i, %j_3] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %414 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %416 = cloop.constant 0.000000e+00 : f32
            %417 = cloop.broadcast %416 : f32 -> vector<16xf32>
            %418 = cloop.partial_load %b[%j_3] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %417 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %419 = cloop.compute "add"(%415, %418) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %420 = cloop.constant 0.000000e+00 : f32
            %421 = cloop.broadcast %420 : f32 -> vector<16xf32>
            %422 = cloop.compute "max"(%419, %421) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %423 = cloop.broadcast %328 : f32 -> vector<16xf32>
            %424 = cloop.compute "sub"(%422, %423) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %425 = cloop.compute "exp"(%424) : (vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %425 into %253[%j_3] <(d0) -> (d0, 0, min(-d0 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %426 = cloop.index[] <() -> (0)> : () -> i64
            %427 = cloop.index[%j_3] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %428 = cloop.lanes 0 : vector<16xi32>
            %429 = cloop.cast %426 : i64 -> i32
            %430 = cloop.cast %427 : i64 -> i32
            %431 = cloop.broadcast %429 : i32 -> vector<16xi32>
            %432 = cloop.compute "ge"(%428, %431) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %433 = cloop.broadcast %430 : i32 -> vector<16xi32>
            %434 = cloop.compute "lt"(%428, %433) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %435 = cloop.compute "and"(%432, %434) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %436 = cloop.compute "select"(%435, %425, %421) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %437 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %438 = cloop.compute "add"(%437, %436) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %438 : vector<16xf32>, vector<16xf32>
          }
          %439 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
          %440 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %441 = cloop.compute "add"(%440, %439) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %441 : vector<16xf32>, vector<16xf32>
          %442 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
          %443 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %444 = cloop.compute "add"(%443, %442) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %444 : vector<16xf32>, vector<16xf32>
          %445 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
          %446 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %447 = cloop.compute "add"(%446, %445) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %447 : vector<16xf32>, vector<16xf32>
          %448 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %449 = cloop.shuffle %448 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
          %450 = cloop.shuffle %448 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
          %451 = cloop.cast %449 : vector<8xf32> -> vector<8xf64>
          %452 = cloop.cast %450 : vector<8xf32> -> vector<8xf64>
          %453 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
          %454 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
          %455 = cloop.compute "add"(%453, %451) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %456 = cloop.compute "add"(%454, %452) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          cloop.assign %partial0, %455 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial0_1, %456 : vector<8xf64>, vector<8xf64>
          %457 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
          %458 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
          %459 = cloop.compute "add"(%457, %458) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %460 = cloop.fold "add" %459 : vector<8xf64> -> f64
          %461 = cloop.compute "add"(%329, %460) : (f64, f64) -> f64
          %462 = cloop.cast %461 : f64 -> f32
          cloop.for[%0 : i64] <(d0) -> (0, d0 * 16)> step 16 {
          ^bb0(%j_4: index):
            %463 = cloop.load %253[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %464 = cloop.broadcast %462 : f32 -> vector<16xf32>
            %465 = cloop.compute "div"(%463, %464) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.store %465 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
          cloop.for[%0 : i64] <(d0) -> (d0 * 16, m)> step 16 {
          ^bb0(%j_5: index):
            %466 = cloop.constant 0.000000e+00 : f32
            %467 = cloop.broadcast %466 : f32 -> vector<16xf32>
            %468 = cloop.partial_load %253[%j_5] <(d0) -> (d0, 0, -d0 + m)> else %467 : (!cloop.ptr<f32, "restrict">, index, vector<16xf32>) -> vector<16xf32>
            %469 = cloop.broadcast %462 : f32 -> vector<16xf32>
            %470 = cloop.compute "div"(%468, %469) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %470 into %out[%strip, %i, %j_5] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2, 0, -d2 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
        }
      }
    }
    func.return
  }
}
