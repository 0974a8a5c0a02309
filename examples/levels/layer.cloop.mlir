builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (m div 16)> : () -> i64
    %1 = cloop.index[] <() -> (m div 64)> : () -> i64
    %2 = cloop.index[] <() -> (k div 8)> : () -> i64
    %3 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %4 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %5 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %6 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %7 = cloop.index[] <() -> (m floordiv 64)> : () -> i64
    %8 = cloop.index[] <() -> ((m floordiv 64 + 15) floordiv 16)> : () -> i64
    %9 = cloop.index[] <() -> (k floordiv 8)> : () -> i64
    %10 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %11 = cloop.index[] <() -> (min(256, k))> : () -> i64
    %12 = cloop.index[] <() -> ((k + 255) floordiv 256)> : () -> i64
    %13 = cloop.index[] <() -> (((m + 31) floordiv 32 + 63) floordiv 64)> : () -> i64
    %14 = cloop.index[] <() -> (min(2048, m) floordiv 8)> : () -> i64
    %15 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %16 = cloop.index[] <() -> ((min(2048, m) + 7) floordiv 8)> : () -> i64
    %17 = cloop.index[] <() -> ((m + 2047) floordiv 2048)> : () -> i64
    %18 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %19 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %20 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %21 = cloop.index[] <() -> (min(64, n))> : () -> i64
    %22 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(2048, m) + 7) floordiv 8) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024)> : !cloop.ptr<i8, "">
    %23 = cloop.slice %22 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %24 = cloop.slice %22 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f64, "restrict">
    %25 = cloop.slice %22 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + ((min(2048, m) + 7) floordiv 8) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %26 = cloop.slice %22 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + ((min(2048, m) + 7) floordiv 8) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %22 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %27 = cloop.test[%21, %20] <(d0, d1) -> (d0 - 4, m - 4, k - 1, d1 - 1)> : (i64, i64) -> i1
      cloop.if %27 {
        cloop.for <() -> (0, k)> step 256 {
        ^bb0(%depth: index):
          %28 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
          %29 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
          cloop.for[%19, %18 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * 16384 - 32768)> {
          ^bb0(%panel: index):
            %30 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %31 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %32 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %32 {
              cloop.for[%29 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                %33 = cloop.load %w[%depth, %panel, %k : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 * 32 + d2 * m)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %33 into %right[%panel, %k, %19, %28] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %34 = cloop.load %w[%depth, %panel, %k : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 * 32 + d2 * m + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %34 into %right[%panel, %k, %19, %28] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            } else {
              cloop.for[%29 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %35 = cloop.constant 0.000000e+00 : f32
                %36 = cloop.broadcast %35 : f32 -> vector<16xf32>
                %37 = cloop.partial_load %w[%depth, %panel, %k_1, %31] <(d0, d1, d2, d3) -> (d0 * m + d1 * 32 + d2 * m, 0, d3)> else %36 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %37 into %right[%panel, %k_1, %19, %28] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %38 = cloop.constant 0.000000e+00 : f32
                %39 = cloop.broadcast %38 : f32 -> vector<16xf32>
                %40 = cloop.partial_load %w[%depth, %panel, %k_1, %30] <(d0, d1, d2, d3) -> (d0 * m + d1 * 32 + d2 * m + 16, 0, d3)> else %39 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %40 into %right[%panel, %k_1, %19, %28] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      cloop.for[%20, %17, %16, %15, %14, %13, %12, %11, %10, %9, %8, %7 : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11) -> (d1 * d2 * d3 * 1024 - d1 * d2 * d3 * d9 * 3584 + d1 * d2 * d3 * k * 512 + d1 * d3 * d4 * 1024 - d1 * d3 * d4 * d9 * 3584 + d1 * d3 * d4 * k * 512 + d3 * 20480 + d3 * d5 * d6 * 1280 + d3 * d5 * d6 * d7 * 256 + d3 * d8 * 3072 + d3 * d10 * 8192 + d3 * d10 * d11 * 4096 - d3 * d11 * 4096 - 32768)> {
      ^bb0(%strip: index):
        %41 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %42 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %43 = cloop.thread : i64
        %strip_1 = cloop.offset %26[%43, %6] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %44 = cloop.test[%strip] <(d0) -> (min(-d0 * 64 + n, 64) - 4, m - 4, k - 1)> : (index) -> i1
        cloop.if %44 {
          %45 = cloop.thread : i64
          %kept = cloop.offset %25[%45, %5, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
          cloop.for[%19 : i64] <(d0) -> (0, d0)> step 64 {
          ^bb0(%columns: index):
            %46 = cloop.index[%columns, %19] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
            %47 = cloop.index[%columns, %19] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
            cloop.for <() -> (0, k)> step 256 {
            ^bb0(%depth_1: index):
              %48 = cloop.index[%depth_1] <(d0) -> (d0 div 256)> : (index) -> i64
              %49 = cloop.index[%depth_1] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
              cloop.for[%42 : i64] <(d0) -> (0, d0)> step 256 {
              ^bb0(%rows: index):
                %50 = cloop.index[%rows, %42] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
                cloop.for[%rows, %47, %42 : index, i64, i64] <(d0, d1, d2) -> (0, d1 * ((min(-d0 + d2, 256) + 15) floordiv 16))> step 1 {
                ^bb0(%group: index):
                  %51 = cloop.index[%group, %47, %50] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                  %52 = cloop.index[%group, %47] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                  cloop.for[%group, %47, %46 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                  ^bb0(%p: index):
                    %53 = cloop.index[%columns, %p] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m - 16, 16))> : (index, index) -> i64
                    %54 = cloop.index[%columns, %p] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m, 16))> : (index, index) -> i64
                    cloop.for[%52, %51 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                    ^bb0(%q: index):
                      %55 = cloop.index[%rows, %q, %41, %53] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 112, d3))> : (index, index, i64, i64) -> i64
                      %56 = cloop.index[%rows, %q, %41, %54] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 112, d3))> : (index, index, i64, i64) -> i64
                      %57 = cloop.index[%rows, %q, %41, %53] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 96, d3))> : (index, index, i64, i64) -> i64
                      %58 = cloop.index[%rows, %q, %41, %54] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 96, d3))> : (index, index, i64, i64) -> i64
                      %59 = cloop.index[%rows, %q, %41, %53] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 80, d3))> : (index, index, i64, i64) -> i64
                      %60 = cloop.index[%rows, %q, %41, %54] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 80, d3))> : (index, index, i64, i64) -> i64
                      %61 = cloop.index[%rows, %q, %41, %53] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 64, d3))> : (index, index, i64, i64) -> i64
                      %62 = cloop.index[%rows, %q, %41, %54] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 64, d3))> : (index, index, i64, i64) -> i64
                      %63 = cloop.index[%rows, %q, %41, %53] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 48, d3))> : (index, index, i64, i64) -> i64
                      %64 = cloop.index[%rows, %q, %41, %54] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 48, d3))> : (index, index, i64, i64) -> i64
                      %65 = cloop.index[%rows, %q, %41, %53] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 32, d3))> : (index, index, i64, i64) -> i64
                      %66 = cloop.index[%rows, %q, %41, %54] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 32, d3))> : (index, index, i64, i64) -> i64
                      %67 = cloop.index[%rows, %q, %41, %53] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 16, d3))> : (index, index, i64, i64) -> i64
                      %68 = cloop.index[%rows, %q, %41, %54] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 16, d3))> : (index, index, i64, i64) -> i64
                      %69 = cloop.index[%rows, %q, %41, %53] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16, d3))> : (index, index, i64, i64) -> i64
                      %70 = cloop.index[%rows, %q, %41, %54] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16, d3))> : (index, index, i64, i64) -> i64
                      %71 = cloop.index[%rows, %q, %41] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 7, d2 - 1))> : (index, index, i64) -> i64
                      %72 = cloop.index[%rows, %q, %41] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 6, d2 - 1))> : (index, index, i64) -> i64
                      %73 = cloop.index[%rows, %q, %41] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 5, d2 - 1))> : (index, index, i64) -> i64
                      %74 = cloop.index[%rows, %q, %41] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 4, d2 - 1))> : (index, index, i64) -> i64
                      %75 = cloop.index[%rows, %q, %41] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 3, d2 - 1))> : (index, index, i64) -> i64
                      %76 = cloop.index[%rows, %q, %41] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 2, d2 - 1))> : (index, index, i64) -> i64
                      %77 = cloop.index[%rows, %q, %41] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8 + 1, d2 - 1))> : (index, index, i64) -> i64
                      %78 = cloop.index[%rows, %q, %41] <(d0, d1, d2) -> (min(d0 * 8 + d1 * 8, d2 - 1))> : (index, index, i64) -> i64
                      %79 = cloop.constant 0.000000e+00 : f32
                      %80 = cloop.broadcast %79 : f32 -> vector<16xf32>
                      %tile0x0x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile0x1x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile1x0x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile1x1x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile2x0x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile2x1x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile3x0x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile3x1x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile4x0x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile4x1x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile5x0x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile5x1x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile6x0x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile6x1x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile7x0x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %tile7x1x0 = cloop.variable %80 : vector<16xf32> -> vector<16xf32>
                      %81 = cloop.constant 0.000000e+00 : f32
                      %82 = cloop.broadcast %81 : f32 -> vector<16xf32>
                      cloop.assign %tile0x0x0, %82 : vector<16xf32>, vector<16xf32>
                      %83 = cloop.constant 0.000000e+00 : f32
                      %84 = cloop.broadcast %83 : f32 -> vector<16xf32>
                      cloop.assign %tile0x1x0, %84 : vector<16xf32>, vector<16xf32>
                      %85 = cloop.constant 0.000000e+00 : f32
                      %86 = cloop.broadcast %85 : f32 -> vector<16xf32>
                      cloop.assign %tile1x0x0, %86 : vector<16xf32>, vector<16xf32>
                      %87 = cloop.constant 0.000000e+00 : f32
                      %88 = cloop.broadcast %87 : f32 -> vector<16xf32>
                      cloop.assign %tile1x1x0, %88 : vector<16xf32>, vector<16xf32>
                      %89 = cloop.constant 0.000000e+00 : f32
                      %90 = cloop.broadcast %89 : f32 -> vector<16xf32>
                      cloop.assign %tile2x0x0, %90 : vector<16xf32>, vector<16xf32>
                      %91 = cloop.constant 0.000000e+00 : f32
                      %92 = cloop.broadcast %91 : f32 -> vector<16xf32>
                      cloop.assign %tile2x1x0, %92 : vector<16xf32>, vector<16xf32>
                      %93 = cloop.constant 0.000000e+00 : f32
                      %94 = cloop.broadcast %93 : f32 -> vector<16xf32>
                      cloop.assign %tile3x0x0, %94 : vector<16xf32>, vector<16xf32>
                      %95 = cloop.constant 0.000000e+00 : f32
                      %96 = cloop.broadcast %95 : f32 -> vector<16xf32>
                      cloop.assign %tile3x1x0, %96 : vector<16xf32>, vector<16xf32>
                      %97 = cloop.constant 0.000000e+00 : f32
                      %98 = cloop.broadcast %97 : f32 -> vector<16xf32>
                      cloop.assign %tile4x0x0, %98 : vector<16xf32>, vector<16xf32>
                      %99 = cloop.constant 0.000000e+00 : f32
                      %100 = cloop.broadcast %99 : f32 -> vector<16xf32>
                      cloop.assign %tile4x1x0, %100 : vector<16xf32>, vector<16xf32>
                      %101 = cloop.constant 0.000000e+00 : f32
                      %102 = cloop.broadcast %101 : f32 -> vector<16xf32>
                      cloop.assign %tile5x0x0, %102 : vector<16xf32>, vector<16xf32>
                      %103 = cloop.constant 0.000000e+00 : f32
                      %104 = cloop.broadcast %103 : f32 -> vector<16xf32>
                      cloop.assign %tile5x1x0, %104 : vector<16xf32>, vector<16xf32>
                      %105 = cloop.constant 0.000000e+00 : f32
                      %106 = cloop.broadcast %105 : f32 -> vector<16xf32>
                      cloop.assign %tile6x0x0, %106 : vector<16xf32>, vector<16xf32>
                      %107 = cloop.constant 0.000000e+00 : f32
                      %108 = cloop.broadcast %107 : f32 -> vector<16xf32>
                      cloop.assign %tile6x1x0, %108 : vector<16xf32>, vector<16xf32>
                      %109 = cloop.constant 0.000000e+00 : f32
                      %110 = cloop.broadcast %109 : f32 -> vector<16xf32>
                      cloop.assign %tile7x0x0, %110 : vector<16xf32>, vector<16xf32>
                      %111 = cloop.constant 0.000000e+00 : f32
                      %112 = cloop.broadcast %111 : f32 -> vector<16xf32>
                      cloop.assign %tile7x1x0, %112 : vector<16xf32>, vector<16xf32>
                      cloop.for[%49 : i64] <(d0) -> (0, d0)> step 1 {
                      ^bb0(%k_2: index):
                        %113 = cloop.load %x[%strip, %depth_1, %k_2, %78 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %114 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %115 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        %116 = cloop.broadcast %113 : f32 -> vector<16xf32>
                        %117 = cloop.compute "fma"(%116, %114, %115) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile0x0x0, %117 : vector<16xf32>, vector<16xf32>
                        %118 = cloop.load %x[%strip, %depth_1, %k_2, %78 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %119 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %120 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        %121 = cloop.broadcast %118 : f32 -> vector<16xf32>
                        %122 = cloop.compute "fma"(%121, %119, %120) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile0x1x0, %122 : vector<16xf32>, vector<16xf32>
                        %123 = cloop.load %x[%strip, %depth_1, %k_2, %77 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %124 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %125 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        %126 = cloop.broadcast %123 : f32 -> vector<16xf32>
                        %127 = cloop.compute "fma"(%126, %124, %125) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile1x0x0, %127 : vector<16xf32>, vector<16xf32>
                        %128 = cloop.load %x[%strip, %depth_1, %k_2, %77 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %129 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %130 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        %131 = cloop.broadcast %128 : f32 -> vector<16xf32>
                        %132 = cloop.compute "fma"(%131, %129, %130) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile1x1x0, %132 : vector<16xf32>, vector<16xf32>
                        %133 = cloop.load %x[%strip, %depth_1, %k_2, %76 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %134 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %135 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        %136 = cloop.broadcast %133 : f32 -> vector<16xf32>
                        %137 = cloop.compute "fma"(%136, %134, %135) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile2x0x0, %137 : vector<16xf32>, vector<16xf32>
                        %138 = cloop.load %x[%strip, %depth_1, %k_2, %76 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %139 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %140 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        %141 = cloop.broadcast %138 : f32 -> vector<16xf32>
                        %142 = cloop.compute "fma"(%141, %139, %140) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile2x1x0, %142 : vector<16xf32>, vector<16xf32>
                        %143 = cloop.load %x[%strip, %depth_1, %k_2, %75 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %144 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %145 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        %146 = cloop.broadcast %143 : f32 -> vector<16xf32>
                        %147 = cloop.compute "fma"(%146, %144, %145) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile3x0x0, %147 : vector<16xf32>, vector<16xf32>
                        %148 = cloop.load %x[%strip, %depth_1, %k_2, %75 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %149 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %150 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        %151 = cloop.broadcast %148 : f32 -> vector<16xf32>
                        %152 = cloop.compute "fma"(%151, %149, %150) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile3x1x0, %152 : vector<16xf32>, vector<16xf32>
                        %153 = cloop.load %x[%strip, %depth_1, %k_2, %74 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %154 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %155 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        %156 = cloop.broadcast %153 : f32 -> vector<16xf32>
                        %157 = cloop.compute "fma"(%156, %154, %155) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile4x0x0, %157 : vector<16xf32>, vector<16xf32>
                        %158 = cloop.load %x[%strip, %depth_1, %k_2, %74 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %159 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %160 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        %161 = cloop.broadcast %158 : f32 -> vector<16xf32>
                        %162 = cloop.compute "fma"(%161, %159, %160) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile4x1x0, %162 : vector<16xf32>, vector<16xf32>
                        %163 = cloop.load %x[%strip, %depth_1, %k_2, %73 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %164 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %165 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        %166 = cloop.broadcast %163 : f32 -> vector<16xf32>
                        %167 = cloop.compute "fma"(%166, %164, %165) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile5x0x0, %167 : vector<16xf32>, vector<16xf32>
                        %168 = cloop.load %x[%strip, %depth_1, %k_2, %73 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %169 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %170 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        %171 = cloop.broadcast %168 : f32 -> vector<16xf32>
                        %172 = cloop.compute "fma"(%171, %169, %170) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile5x1x0, %172 : vector<16xf32>, vector<16xf32>
                        %173 = cloop.load %x[%strip, %depth_1, %k_2, %72 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %174 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %175 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        %176 = cloop.broadcast %173 : f32 -> vector<16xf32>
                        %177 = cloop.compute "fma"(%176, %174, %175) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile6x0x0, %177 : vector<16xf32>, vector<16xf32>
                        %178 = cloop.load %x[%strip, %depth_1, %k_2, %72 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %179 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %180 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        %181 = cloop.broadcast %178 : f32 -> vector<16xf32>
                        %182 = cloop.compute "fma"(%181, %179, %180) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile6x1x0, %182 : vector<16xf32>, vector<16xf32>
                        %183 = cloop.load %x[%strip, %depth_1, %k_2, %71 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %184 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %185 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        %186 = cloop.broadcast %183 : f32 -> vector<16xf32>
                        %187 = cloop.compute "fma"(%186, %184, %185) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile7x0x0, %187 : vector<16xf32>, vector<16xf32>
                        %188 = cloop.load %x[%strip, %depth_1, %k_2, %71 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * k * 64 + d1 + d2 + d3 * k)> : !cloop.ptr<f32, "const"> -> f32
                        %189 = cloop.load %right[%columns, %p, %k_2, %19, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %190 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        %191 = cloop.broadcast %188 : f32 -> vector<16xf32>
                        %192 = cloop.compute "fma"(%191, %189, %190) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile7x1x0, %192 : vector<16xf32>, vector<16xf32>
                      }
                      %193 = cloop.test[%depth_1] <(d0) -> (d0 - 1)> : (index) -> i1
                      cloop.if %193 {
                        %194 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %195 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        %196 = cloop.compute "add"(%195, %194) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile0x0x0, %196 : vector<16xf32>, vector<16xf32>
                        %197 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %198 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        %199 = cloop.compute "add"(%198, %197) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile0x1x0, %199 : vector<16xf32>, vector<16xf32>
                        %200 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %201 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        %202 = cloop.compute "add"(%201, %200) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile1x0x0, %202 : vector<16xf32>, vector<16xf32>
                        %203 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %204 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        %205 = cloop.compute "add"(%204, %203) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile1x1x0, %205 : vector<16xf32>, vector<16xf32>
                        %206 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %207 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        %208 = cloop.compute "add"(%207, %206) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile2x0x0, %208 : vector<16xf32>, vector<16xf32>
                        %209 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %210 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        %211 = cloop.compute "add"(%210, %209) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile2x1x0, %211 : vector<16xf32>, vector<16xf32>
                        %212 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %213 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        %214 = cloop.compute "add"(%213, %212) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile3x0x0, %214 : vector<16xf32>, vector<16xf32>
                        %215 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %216 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        %217 = cloop.compute "add"(%216, %215) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile3x1x0, %217 : vector<16xf32>, vector<16xf32>
                        %218 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %219 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        %220 = cloop.compute "add"(%219, %218) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile4x0x0, %220 : vector<16xf32>, vector<16xf32>
                        %221 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %222 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        %223 = cloop.compute "add"(%222, %221) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile4x1x0, %223 : vector<16xf32>, vector<16xf32>
                        %224 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %225 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        %226 = cloop.compute "add"(%225, %224) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile5x0x0, %226 : vector<16xf32>, vector<16xf32>
                        %227 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %228 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        %229 = cloop.compute "add"(%228, %227) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile5x1x0, %229 : vector<16xf32>, vector<16xf32>
                        %230 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %231 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        %232 = cloop.compute "add"(%231, %230) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile6x0x0, %232 : vector<16xf32>, vector<16xf32>
                        %233 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %234 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        %235 = cloop.compute "add"(%234, %233) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile6x1x0, %235 : vector<16xf32>, vector<16xf32>
                        %236 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %237 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        %238 = cloop.compute "add"(%237, %236) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile7x0x0, %238 : vector<16xf32>, vector<16xf32>
                        %239 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %240 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        %241 = cloop.compute "add"(%240, %239) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile7x1x0, %241 : vector<16xf32>, vector<16xf32>
                      }
                      %242 = cloop.test[%depth_1] <(d0) -> (d0 - k + 256)> : (index) -> i1
                      cloop.if %242 {
                        %243 = cloop.test[%columns, %rows, %p, %q, %41] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                        cloop.if %243 {
                          %244 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %244 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %245 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %245 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %246 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %246 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %247 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %247 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %248 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %248 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %249 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %249 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %250 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %250 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %251 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %251 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %252 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %252 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %253 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %253 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %254 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %254 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %255 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %255 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %256 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %256 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %257 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %257 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %258 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %258 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %259 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %259 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        } else {
                          %260 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %260 into %strip_1[%columns, %rows, %p, %q, %70] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %261 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %261 into %strip_1[%columns, %rows, %p, %q, %69] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %262 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %262 into %strip_1[%columns, %rows, %p, %q, %68] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %263 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %263 into %strip_1[%columns, %rows, %p, %q, %67] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %264 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %264 into %strip_1[%columns, %rows, %p, %q, %66] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %265 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %265 into %strip_1[%columns, %rows, %p, %q, %65] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %266 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %266 into %strip_1[%columns, %rows, %p, %q, %64] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %267 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %267 into %strip_1[%columns, %rows, %p, %q, %63] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %268 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %268 into %strip_1[%columns, %rows, %p, %q, %62] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %269 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %269 into %strip_1[%columns, %rows, %p, %q, %61] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %270 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %270 into %strip_1[%columns, %rows, %p, %q, %60] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %271 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %271 into %strip_1[%columns, %rows, %p, %q, %59] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %272 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %272 into %strip_1[%columns, %rows, %p, %q, %58] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %273 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %273 into %strip_1[%columns, %rows, %p, %q, %57] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %274 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %274 into %strip_1[%columns, %rows, %p, %q, %56] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %275 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %275 into %strip_1[%columns, %rows, %p, %q, %55] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        }
                      } else {
                        %276 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %276 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %277 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %277 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %278 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %278 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %279 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %279 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %280 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %280 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %281 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %281 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %282 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %282 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %283 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %283 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %284 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %284 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %285 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %285 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %286 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %286 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %287 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %287 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %288 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %288 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %289 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %289 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %290 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %290 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %291 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %291 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      }
                    }
                  }
                }
              }
            }
          }
        } else {
          cloop.for[%41 : i64] <(d0) -> (0, d0)> step 1 {
          ^bb0(%i: index):
            cloop.for <() -> (0, m)> step 2048 {
            ^bb0(%block: index):
              %292 = cloop.index[%block] <(d0) -> (min(-d0 + m, 2048) div 8)> : (index) -> i64
              %293 = cloop.index[%block] <(d0) -> (min(-d0 + m, 2048))> : (index) -> i64
              %294 = cloop.thread : i64
              %row = cloop.offset %24[%294, %16] <(d0, d1) -> (d0 * d1 * 8)> : (!cloop.ptr<f64, "restrict">, i64, i64) -> !cloop.ptr<f64, "restrict">
              cloop.for[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) div 8) * 8)> step 8 {
              ^bb0(%j: index):
                %295 = cloop.constant 0.000000e+00 : f64
                %296 = cloop.broadcast %295 : f64 -> vector<8xf64>
                cloop.store %296 into %row[%j] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
              }
              cloop.for[%block : index] <(d0) -> ((min(-d0 + m, 2048) div 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_1: index):
                %297 = cloop.constant 0.000000e+00 : f64
                %298 = cloop.broadcast %297 : f64 -> vector<8xf64>
                cloop.partial_store %298 into %row[%j_1, %293] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
              }
              cloop.for[%2 : i64] <(d0) -> (0, d0 * 8)> step 8 {
              ^bb0(%k_3: index):
                cloop.for[%292 : i64] <(d0) -> (0, d0 * 8)> step 8 {
                ^bb0(%j_2: index):
                  %299 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2)> : !cloop.ptr<f32, "const"> -> f32
                  %300 = cloop.load %w[%block, %k_3, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %301 = cloop.broadcast %299 : f32 -> vector<8xf32>
                  %302 = cloop.compute "mul"(%301, %300) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %303 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 1)> : !cloop.ptr<f32, "const"> -> f32
                  %304 = cloop.load %w[%block, %k_3, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %305 = cloop.broadcast %303 : f32 -> vector<8xf32>
                  %306 = cloop.compute "mul"(%305, %304) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %307 = cloop.compute "add"(%302, %306) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %308 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 2)> : !cloop.ptr<f32, "const"> -> f32
                  %309 = cloop.load %w[%block, %k_3, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %310 = cloop.broadcast %308 : f32 -> vector<8xf32>
                  %311 = cloop.compute "mul"(%310, %309) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %312 = cloop.compute "add"(%307, %311) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %313 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 3)> : !cloop.ptr<f32, "const"> -> f32
                  %314 = cloop.load %w[%block, %k_3, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 3)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %315 = cloop.broadcast %313 : f32 -> vector<8xf32>
                  %316 = cloop.compute "mul"(%315, %314) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %317 = cloop.compute "add"(%312, %316) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %318 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 4)> : !cloop.ptr<f32, "const"> -> f32
                  %319 = cloop.load %w[%block, %k_3, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 4)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %320 = cloop.broadcast %318 : f32 -> vector<8xf32>
                  %321 = cloop.compute "mul"(%320, %319) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %322 = cloop.compute "add"(%317, %321) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %323 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 5)> : !cloop.ptr<f32, "const"> -> f32
                  %324 = cloop.load %w[%block, %k_3, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 5)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %325 = cloop.broadcast %323 : f32 -> vector<8xf32>
                  %326 = cloop.compute "mul"(%325, %324) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %327 = cloop.compute "add"(%322, %326) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %328 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 6)> : !cloop.ptr<f32, "const"> -> f32
                  %329 = cloop.load %w[%block, %k_3, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 6)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %330 = cloop.broadcast %328 : f32 -> vector<8xf32>
                  %331 = cloop.compute "mul"(%330, %329) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %332 = cloop.compute "add"(%327, %331) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %333 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 7)> : !cloop.ptr<f32, "const"> -> f32
                  %334 = cloop.load %w[%block, %k_3, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 7)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %335 = cloop.broadcast %333 : f32 -> vector<8xf32>
                  %336 = cloop.compute "mul"(%335, %334) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %337 = cloop.compute "add"(%332, %336) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %338 = cloop.cast %337 : vector<8xf32> -> vector<8xf64>
                  %339 = cloop.load %row[%j_2 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                  %340 = cloop.compute "add"(%339, %338) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                  cloop.store %340 into %row[%j_2] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
                }
                cloop.for[%292, %293 : i64, i64] <(d0, d1) -> (d0 * 8, d1)> step 8 {
                ^bb0(%j_3: index):
                  %341 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2)> : !cloop.ptr<f32, "const"> -> f32
                  %342 = cloop.constant 0.000000e+00 : f32
                  %343 = cloop.broadcast %342 : f32 -> vector<8xf32>
                  %344 = cloop.partial_load %w[%block, %k_3, %j_3, %293] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(-d2 + d3, 8))> else %343 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %345 = cloop.broadcast %341 : f32 -> vector<8xf32>
                  %346 = cloop.compute "mul"(%345, %344) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %347 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 1)> : !cloop.ptr<f32, "const"> -> f32
                  %348 = cloop.constant 0.000000e+00 : f32
                  %349 = cloop.broadcast %348 : f32 -> vector<8xf32>
                  %350 = cloop.partial_load %w[%block, %k_3, %j_3, %293] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m, 0, min(-d2 + d3, 8))> else %349 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %351 = cloop.broadcast %347 : f32 -> vector<8xf32>
                  %352 = cloop.compute "mul"(%351, %350) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %353 = cloop.compute "add"(%346, %352) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %354 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 2)> : !cloop.ptr<f32, "const"> -> f32
                  %355 = cloop.constant 0.000000e+00 : f32
                  %356 = cloop.broadcast %355 : f32 -> vector<8xf32>
                  %357 = cloop.partial_load %w[%block, %k_3, %j_3, %293] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 2, 0, min(-d2 + d3, 8))> else %356 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %358 = cloop.broadcast %354 : f32 -> vector<8xf32>
                  %359 = cloop.compute "mul"(%358, %357) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %360 = cloop.compute "add"(%353, %359) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %361 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 3)> : !cloop.ptr<f32, "const"> -> f32
                  %362 = cloop.constant 0.000000e+00 : f32
                  %363 = cloop.broadcast %362 : f32 -> vector<8xf32>
                  %364 = cloop.partial_load %w[%block, %k_3, %j_3, %293] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 3, 0, min(-d2 + d3, 8))> else %363 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %365 = cloop.broadcast %361 : f32 -> vector<8xf32>
                  %366 = cloop.compute "mul"(%365, %364) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %367 = cloop.compute "add"(%360, %366) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %368 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 4)> : !cloop.ptr<f32, "const"> -> f32
                  %369 = cloop.constant 0.000000e+00 : f32
                  %370 = cloop.broadcast %369 : f32 -> vector<8xf32>
                  %371 = cloop.partial_load %w[%block, %k_3, %j_3, %293] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 4, 0, min(-d2 + d3, 8))> else %370 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %372 = cloop.broadcast %368 : f32 -> vector<8xf32>
                  %373 = cloop.compute "mul"(%372, %371) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %374 = cloop.compute "add"(%367, %373) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %375 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 5)> : !cloop.ptr<f32, "const"> -> f32
                  %376 = cloop.constant 0.000000e+00 : f32
                  %377 = cloop.broadcast %376 : f32 -> vector<8xf32>
                  %378 = cloop.partial_load %w[%block, %k_3, %j_3, %293] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 5, 0, min(-d2 + d3, 8))> else %377 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %379 = cloop.broadcast %375 : f32 -> vector<8xf32>
                  %380 = cloop.compute "mul"(%379, %378) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %381 = cloop.compute "add"(%374, %380) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %382 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 6)> : !cloop.ptr<f32, "const"> -> f32
                  %383 = cloop.constant 0.000000e+00 : f32
                  %384 = cloop.broadcast %383 : f32 -> vector<8xf32>
                  %385 = cloop.partial_load %w[%block, %k_3, %j_3, %293] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 6, 0, min(-d2 + d3, 8))> else %384 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %386 = cloop.broadcast %382 : f32 -> vector<8xf32>
                  %387 = cloop.compute "mul"(%386, %385) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %388 = cloop.compute "add"(%381, %387) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %389 = cloop.load %x[%strip, %i, %k_3 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 7)> : !cloop.ptr<f32, "const"> -> f32
                  %390 = cloop.constant 0.000000e+00 : f32
                  %391 = cloop.broadcast %390 : f32 -> vector<8xf32>
                  %392 = cloop.partial_load %w[%block, %k_3, %j_3, %293] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 7, 0, min(-d2 + d3, 8))> else %391 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %393 = cloop.broadcast %389 : f32 -> vector<8xf32>
                  %394 = cloop.compute "mul"(%393, %392) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %395 = cloop.compute "add"(%388, %394) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %396 = cloop.cast %395 : vector<8xf32> -> vector<8xf64>
                  %397 = cloop.constant 0.000000e+00 : f64
                  %398 = cloop.broadcast %397 : f64 -> vector<8xf64>
                  %399 = cloop.partial_load %row[%j_3, %293] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %398 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                  %400 = cloop.compute "add"(%399, %396) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                  cloop.partial_store %400 into %row[%j_3, %293] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
                }
              }
              cloop.for[%2 : i64] <(d0) -> (d0 * 8, k)> step 1 {
              ^bb0(%k_4: index):
                cloop.for[%292 : i64] <(d0) -> (0, d0 * 8)> step 8 {
                ^bb0(%j_4: index):
                  %401 = cloop.load %x[%strip, %i, %k_4 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2)> : !cloop.ptr<f32, "const"> -> f32
                  %402 = cloop.load %w[%block, %k_4, %j_4 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %403 = cloop.broadcast %401 : f32 -> vector<8xf32>
                  %404 = cloop.compute "mul"(%403, %402) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %405 = cloop.cast %404 : vector<8xf32> -> vector<8xf64>
                  %406 = cloop.load %row[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                  %407 = cloop.compute "add"(%406, %405) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                  cloop.store %407 into %row[%j_4] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
                }
                cloop.for[%292, %293 : i64, i64] <(d0, d1) -> (d0 * 8, d1)> step 8 {
                ^bb0(%j_5: index):
                  %408 = cloop.load %x[%strip, %i, %k_4 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2)> : !cloop.ptr<f32, "const"> -> f32
                  %409 = cloop.constant 0.000000e+00 : f32
                  %410 = cloop.broadcast %409 : f32 -> vector<8xf32>
                  %411 = cloop.partial_load %w[%block, %k_4, %j_5, %293] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(-d2 + d3, 8))> else %410 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %412 = cloop.broadcast %408 : f32 -> vector<8xf32>
                  %413 = cloop.compute "mul"(%412, %411) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %414 = cloop.cast %413 : vector<8xf32> -> vector<8xf64>
                  %415 = cloop.constant 0.000000e+00 : f64
                  %416 = cloop.broadcast %415 : f64 -> vector<8xf64>
                  %417 = cloop.partial_load %row[%j_5, %293] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %416 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                  %418 = cloop.compute "add"(%417, %414) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                  cloop.partial_store %418 into %row[%j_5, %293] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
                }
              }
              cloop.for[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) div 8) * 8)> step 8 {
              ^bb0(%j_6: index):
                %419 = cloop.load %row[%j_6 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                %420 = cloop.cast %419 : vector<8xf64> -> vector<8xf32>
                cloop.store %420 into %strip_1[%i, %block, %j_6] <(d0, d1, d2) -> (d0 * m + d1 + d2)> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index
              }
              cloop.for[%block : index] <(d0) -> ((min(-d0 + m, 2048) div 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_7: index):
                %421 = cloop.constant 0.000000e+00 : f64
                %422 = cloop.broadcast %421 : f64 -> vector<8xf64>
                %423 = cloop.partial_load %row[%j_7, %293] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %422 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                %424 = cloop.cast %423 : vector<8xf64> -> vector<8xf32>
                cloop.partial_store %424 into %strip_1[%i, %block, %j_7, %293] <(d0, d1, d2, d3) -> (d0 * m + d1 + d2, 0, min(-d2 + d3, 8))> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
              }
            }
          }
        }
        cloop.for[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i_1: index):
          %425 = cloop.thread : i64
          %426 = cloop.offset %23[%425, %10] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %427 = cloop.constant 0xff800000 : f32
          %428 = cloop.constant 0.000000e+00 : f32
          %429 = cloop.broadcast %428 : f32 -> vector<16xf32>
          %partial0x0 = cloop.variable %429 : vector<16xf32> -> vector<16xf32>
          %partial1x0 = cloop.variable %429 : vector<16xf32> -> vector<16xf32>
          %partial2x0 = cloop.variable %429 : vector<16xf32> -> vector<16xf32>
          %partial3x0 = cloop.variable %429 : vector<16xf32> -> vector<16xf32>
          %430 = cloop.broadcast %427 : f32 -> vector<16xf32>
          cloop.assign %partial0x0, %430 : vector<16xf32>, vector<16xf32>
          %431 = cloop.broadcast %427 : f32 -> vector<16xf32>
          cloop.assign %partial1x0, %431 : vector<16xf32>, vector<16xf32>
          %432 = cloop.broadcast %427 : f32 -> vector<16xf32>
          cloop.assign %partial2x0, %432 : vector<16xf32>, vector<16xf32>
          %433 = cloop.broadcast %427 : f32 -> vector<16xf32>
          cloop.assign %partial3x0, %433 : vector<16xf32>, vector<16xf32>
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 64 {
          ^bb0(%j_8: index):
            %434 = cloop.load %strip_1[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %435 = cloop.load %b[%j_8 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %436 = cloop.compute "add"(%434, %435) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %437 = cloop.constant 0.000000e+00 : f32
            %438 = cloop.broadcast %437 : f32 -> vector<16xf32>
            %439 = cloop.compute "max"(%436, %438) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %440 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
            %441 = cloop.compute "max"(%440, %439) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0, %441 : vector<16xf32>, vector<16xf32>
            %442 = cloop.load %strip_1[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %443 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %444 = cloop.compute "add"(%442, %443) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %445 = cloop.constant 0.000000e+00 : f32
            %446 = cloop.broadcast %445 : f32 -> vector<16xf32>
            %447 = cloop.compute "max"(%444, %446) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %448 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
            %449 = cloop.compute "max"(%448, %447) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial1x0, %449 : vector<16xf32>, vector<16xf32>
            %450 = cloop.load %strip_1[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %451 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %452 = cloop.compute "add"(%450, %451) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %453 = cloop.constant 0.000000e+00 : f32
            %454 = cloop.broadcast %453 : f32 -> vector<16xf32>
            %455 = cloop.compute "max"(%452, %454) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %456 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
            %457 = cloop.compute "max"(%456, %455) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial2x0, %457 : vector<16xf32>, vector<16xf32>
            %458 = cloop.load %strip_1[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %459 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %460 = cloop.compute "add"(%458, %459) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %461 = cloop.constant 0.000000e+00 : f32
            %462 = cloop.broadcast %461 : f32 -> vector<16xf32>
            %463 = cloop.compute "max"(%460, %462) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %464 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
            %465 = cloop.compute "max"(%464, %463) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial3x0, %465 : vector<16xf32>, vector<16xf32>
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_9: index):
            %466 = cloop.constant 0.000000e+00 : f32
            %467 = cloop.broadcast %466 : f32 -> vector<16xf32>
            %468 = cloop.partial_load %strip_1[%i_1, %j_9] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %467 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %469 = cloop.constant 0.000000e+00 : f32
            %470 = cloop.broadcast %469 : f32 -> vector<16xf32>
            %471 = cloop.partial_load %b[%j_9] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %470 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %472 = cloop.compute "add"(%468, %471) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %473 = cloop.constant 0.000000e+00 : f32
            %474 = cloop.broadcast %473 : f32 -> vector<16xf32>
            %475 = cloop.compute "max"(%472, %474) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %476 = cloop.index[] <() -> (0)> : () -> i64
            %477 = cloop.index[%j_9] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %478 = cloop.lanes 0 : vector<16xi32>
            %479 = cloop.cast %476 : i64 -> i32
            %480 = cloop.cast %477 : i64 -> i32
            %481 = cloop.broadcast %479 : i32 -> vector<16xi32>
            %482 = cloop.compute "ge"(%478, %481) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %483 = cloop.broadcast %480 : i32 -> vector<16xi32>
            %484 = cloop.compute "lt"(%478, %483) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %485 = cloop.compute "and"(%482, %484) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %486 = cloop.broadcast %427 : f32 -> vector<16xf32>
            %487 = cloop.compute "select"(%485, %475, %486) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %488 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
            %489 = cloop.compute "max"(%488, %487) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0, %489 : vector<16xf32>, vector<16xf32>
          }
          %490 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
          %491 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %492 = cloop.compute "max"(%491, %490) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %492 : vector<16xf32>, vector<16xf32>
          %493 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
          %494 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %495 = cloop.compute "max"(%494, %493) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %495 : vector<16xf32>, vector<16xf32>
          %496 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
          %497 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %498 = cloop.compute "max"(%497, %496) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %498 : vector<16xf32>, vector<16xf32>
          %499 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %500 = cloop.fold "max" %499 : vector<16xf32> -> f32
          %501 = cloop.compute "max"(%427, %500) : (f32, f32) -> f32
          %502 = cloop.constant 0.000000e+00 : f64
          %503 = cloop.constant 0.000000e+00 : f32
          %504 = cloop.broadcast %503 : f32 -> vector<16xf32>
          %partial0x0_1 = cloop.variable %504 : vector<16xf32> -> vector<16xf32>
          %partial1x0_1 = cloop.variable %504 : vector<16xf32> -> vector<16xf32>
          %partial2x0_1 = cloop.variable %504 : vector<16xf32> -> vector<16xf32>
          %partial3x0_1 = cloop.variable %504 : vector<16xf32> -> vector<16xf32>
          %505 = cloop.constant 0.000000e+00 : f64
          %506 = cloop.broadcast %505 : f64 -> vector<8xf64>
          %partial0 = cloop.variable %506 : vector<8xf64> -> vector<8xf64>
          %partial0_1 = cloop.variable %506 : vector<8xf64> -> vector<8xf64>
          %507 = cloop.constant 0.000000e+00 : f32
          %508 = cloop.broadcast %507 : f32 -> vector<16xf32>
          cloop.assign %partial0x0_1, %508 : vector<16xf32>, vector<16xf32>
          %509 = cloop.constant 0.000000e+00 : f32
          %510 = cloop.broadcast %509 : f32 -> vector<16xf32>
          cloop.assign %partial1x0_1, %510 : vector<16xf32>, vector<16xf32>
          %511 = cloop.constant 0.000000e+00 : f32
          %512 = cloop.broadcast %511 : f32 -> vector<16xf32>
          cloop.assign %partial2x0_1, %512 : vector<16xf32>, vector<16xf32>
          %513 = cloop.constant 0.000000e+00 : f32
          %514 = cloop.broadcast %513 : f32 -> vector<16xf32>
          cloop.assign %partial3x0_1, %514 : vector<16xf32>, vector<16xf32>
          %515 = cloop.broadcast %502 : f64 -> vector<8xf64>
          cloop.assign %partial0, %515 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial0_1, %515 : vector<8xf64>, vector<8xf64>
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 1024 {
          ^bb0(%chunk: index):
            cloop.for[%chunk, %1 : index, i64] <(d0, d1) -> (d0, min(d0 + 1024, d1 * 64))> step 64 {
            ^bb0(%j_10: index):
              %516 = cloop.load %strip_1[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %517 = cloop.load %b[%j_10 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %518 = cloop.compute "add"(%516, %517) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %519 = cloop.constant 0.000000e+00 : f32
              %520 = cloop.broadcast %519 : f32 -> vector<16xf32>
              %521 = cloop.compute "max"(%518, %520) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %522 = cloop.broadcast %501 : f32 -> vector<16xf32>
              %523 = cloop.compute "sub"(%521, %522) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %524 = cloop.compute "exp"(%523) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %524 into %426[%j_10] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %525 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
              %526 = cloop.compute "add"(%525, %524) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial0x0_1, %526 : vector<16xf32>, vector<16xf32>
              %527 = cloop.load %strip_1[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %528 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %529 = cloop.compute "add"(%527, %528) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %530 = cloop.constant 0.000000e+00 : f32
              %531 = cloop.broadcast %530 : f32 -> vector<16xf32>
              %532 = cloop.compute "max"(%529, %531) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %533 = cloop.broadcast %501 : f32 -> vector<16xf32>
              %534 = cloop.compute "sub"(%532, %533) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %535 = cloop.compute "exp"(%534) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %535 into %426[%j_10] <(d0) -> (d0 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %536 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
              %537 = cloop.compute "add"(%536, %535) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial1x0_1, %537 : vector<16xf32>, vector<16xf32>
              %538 = cloop.load %strip_1[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %539 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %540 = cloop.compute "add"(%538, %539) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %541 = cloop.constant 0.000000e+00 : f32
              %542 = cloop.broadcast %541 : f32 -> vector<16xf32>
              %543 = cloop.compute "max"(%540, %542) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %544 = cloop.broadcast %501 : f32 -> vector<16xf32>
              %545 = cloop.compute "sub"(%543, %544) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %546 = cloop.compute "exp"(%545) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %546 into %426[%j_10] <(d0) -> (d0 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %547 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
              %548 = cloop.compute "add"(%547, %546) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial2x0_1, %548 : vector<16xf32>, vector<16xf32>
              %549 = cloop.load %strip_1[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %550 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %551 = cloop.compute "add"(%549, %550) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %552 = cloop.constant 0.000000e+00 : f32
              %553 = cloop.broadcast %552 : f32 -> vector<16xf32>
              %554 = cloop.compute "max"(%551, %553) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %555 = cloop.broadcast %501 : f32 -> vector<16xf32>
              %556 = cloop.compute "sub"(%554, %555) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %557 = cloop.compute "exp"(%556) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %557 into %426[%j_10] <(d0) -> (d0 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %558 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
              %559 = cloop.compute "add"(%558, %557) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial3x0_1, %559 : vector<16xf32>, vector<16xf32>
            }
            %560 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
            %561 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %562 = cloop.compute "add"(%561, %560) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %562 : vector<16xf32>, vector<16xf32>
            %563 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
            %564 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %565 = cloop.compute "add"(%564, %563) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %565 : vector<16xf32>, vector<16xf32>
            %566 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
            %567 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %568 = cloop.compute "add"(%567, %566) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %568 : vector<16xf32>, vector<16xf32>
            %569 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %570 = cloop.shuffle %569 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %571 = cloop.shuffle %569 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %572 = cloop.cast %570 : vector<8xf32> -> vector<8xf64>
            %573 = cloop.cast %571 : vector<8xf32> -> vector<8xf64>
            %574 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
            %575 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
            %576 = cloop.compute "add"(%574, %572) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %577 = cloop.compute "add"(%575, %573) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial0, %576 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial0_1, %577 : vector<8xf64>, vector<8xf64>
            %578 = cloop.constant 0.000000e+00 : f32
            %579 = cloop.broadcast %578 : f32 -> vector<16xf32>
            cloop.assign %partial0x0_1, %579 : vector<16xf32>, vector<16xf32>
            %580 = cloop.constant 0.000000e+00 : f32
            %581 = cloop.broadcast %580 : f32 -> vector<16xf32>
            cloop.assign %partial1x0_1, %581 : vector<16xf32>, vector<16xf32>
            %582 = cloop.constant 0.000000e+00 : f32
            %583 = cloop.broadcast %582 : f32 -> vector<16xf32>
            cloop.assign %partial2x0_1, %583 : vector<16xf32>, vector<16xf32>
            %584 = cloop.constant 0.000000e+00 : f32
            %585 = cloop.broadcast %584 : f32 -> vector<16xf32>
            cloop.assign %partial3x0_1, %585 : vector<16xf32>, vector<16xf32>
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_11: index):
            %586 = cloop.constant 0.000000e+00 : f32
            %587 = cloop.broadcast %586 : f32 -> vector<16xf32>
            %588 = cloop.partial_load %strip_1[%i_1, %j_11] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %587 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %589 = cloop.constant 0.000000e+00 : f32
            %590 = cloop.broadcast %589 : f32 -> vector<16xf32>
            %591 = cloop.partial_load %b[%j_11] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %590 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %592 = cloop.compute "add"(%588, %591) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %593 = cloop.constant 0.000000e+00 : f32
            %594 = cloop.broadcast %593 : f32 -> vector<16xf32>
            %595 = cloop.compute "max"(%592, %594) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %596 = cloop.broadcast %501 : f32 -> vector<16xf32>
            %597 = cloop.compute "sub"(%595, %596) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %598 = cloop.compute "exp"(%597) : (vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %598 into %426[%j_11] <(d0) -> (d0, 0, min(-d0 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %599 = cloop.index[] <() -> (0)> : () -> i64
            %600 = cloop.index[%j_11] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %601 = cloop.lanes 0 : vector<16xi32>
            %602 = cloop.cast %599 : i64 -> i32
            %603 = cloop.cast %600 : i64 -> i32
            %604 = cloop.broadcast %602 : i32 -> vector<16xi32>
            %605 = cloop.compute "ge"(%601, %604) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %606 = cloop.broadcast %603 : i32 -> vector<16xi32>
            %607 = cloop.compute "lt"(%601, %606) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %608 = cloop.compute "and"(%605, %607) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %609 = cloop.compute "select"(%608, %598, %594) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %610 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %611 = cloop.compute "add"(%610, %609) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %611 : vector<16xf32>, vector<16xf32>
          }
          %612 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
          %613 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %614 = cloop.compute "add"(%613, %612) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %614 : vector<16xf32>, vector<16xf32>
          %615 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
          %616 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %617 = cloop.compute "add"(%616, %615) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %617 : vector<16xf32>, vector<16xf32>
          %618 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
          %619 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %620 = cloop.compute "add"(%619, %618) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %620 : vector<16xf32>, vector<16xf32>
          %621 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %622 = cloop.shuffle %621 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
          %623 = cloop.shuffle %621 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
          %624 = cloop.cast %622 : vector<8xf32> -> vector<8xf64>
          %625 = cloop.cast %623 : vector<8xf32> -> vector<8xf64>
          %626 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
          %627 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
          %628 = cloop.compute "add"(%626, %624) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %629 = cloop.compute "add"(%627, %625) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          cloop.assign %partial0, %628 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial0_1, %629 : vector<8xf64>, vector<8xf64>
          %630 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
          %631 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
          %632 = cloop.compute "add"(%630, %631) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %633 = cloop.fold "add" %632 : vector<8xf64> -> f64
          %634 = cloop.compute "add"(%502, %633) : (f64, f64) -> f64
          %635 = cloop.cast %634 : f64 -> f32
          cloop.for[%0 : i64] <(d0) -> (0, d0 * 16)> step 16 {
          ^bb0(%j_12: index):
            %636 = cloop.load %426[%j_12 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %637 = cloop.broadcast %635 : f32 -> vector<16xf32>
            %638 = cloop.compute "div"(%636, %637) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.store %638 into %out[%strip, %i_1, %j_12] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
          cloop.for[%0 : i64] <(d0) -> (d0 * 16, m)> step 16 {
          ^bb0(%j_13: index):
            %639 = cloop.constant 0.000000e+00 : f32
            %640 = cloop.broadcast %639 : f32 -> vector<16xf32>
            %641 = cloop.partial_load %426[%j_13] <(d0) -> (d0, 0, -d0 + m)> else %640 : (!cloop.ptr<f32, "restrict">, index, vector<16xf32>) -> vector<16xf32>
            %642 = cloop.broadcast %635 : f32 -> vector<16xf32>
            %643 = cloop.compute "div"(%641, %642) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %643 into %out[%strip, %i_1, %j_13] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2, 0, -d2 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
        }
      }
    }
    func.return
  }
}
