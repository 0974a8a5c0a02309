builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (m div 16)> : () -> i64
    %1 = cloop.index[] <() -> (m div 64)> : () -> i64
    %2 = cloop.index[] <() -> (m floordiv 64)> : () -> i64
    %3 = cloop.index[] <() -> ((m floordiv 64 + 15) floordiv 16)> : () -> i64
    %4 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %5 = cloop.index[] <() -> (k div 8)> : () -> i64
    %6 = cloop.index[] <() -> (k floordiv 8)> : () -> i64
    %7 = cloop.index[] <() -> (min(2048, m) floordiv 8)> : () -> i64
    %8 = cloop.index[] <() -> ((min(2048, m) + 7) floordiv 8)> : () -> i64
    %9 = cloop.index[] <() -> ((m + 2047) floordiv 2048)> : () -> i64
    %10 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %11 = cloop.index[] <() -> ((n + 7) floordiv 8)> : () -> i64
    %12 = cloop.index[] <() -> ((n + 7) div 8)> : () -> i64
    %13 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %14 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %15 = cloop.arena <() -> (((m * n + 15) floordiv 16) * 64 + ((n + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + min((m + 31) floordiv 32, 64) * 32768 + min((n + 7) floordiv 8, 256) * 8192, ((m + 15) floordiv 16) * 64 + ((min(2048, m) + 7) floordiv 8) * 64)> : !cloop.ptr<i8, "">
    %16 = cloop.slice %15 <() -> (((m * n + 15) floordiv 16) * 64 + ((n + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + min((m + 31) floordiv 32, 64) * 32768 + min((n + 7) floordiv 8, 256) * 8192, ((min(2048, m) + 7) floordiv 8) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %17 = cloop.slice %15 <() -> (((m * n + 15) floordiv 16) * 64 + ((n + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + min((m + 31) floordiv 32, 64) * 32768 + min((n + 7) floordiv 8, 256) * 8192, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f64, "restrict">
    %18 = cloop.slice %15 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %left = cloop.slice %15 <() -> (((m * n + 15) floordiv 16) * 64, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %15 <() -> (((m * n + 15) floordiv 16) * 64 + min((n + 7) floordiv 8, 256) * 8192, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %kept = cloop.slice %15 <() -> (((m * n + 15) floordiv 16) * 64 + min((m + 31) floordiv 32, 64) * 32768 + min((n + 7) floordiv 8, 256) * 8192, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %19 = cloop.test[] <() -> (n - 4, m - 4, k - 1)> : () -> i1
      cloop.if %19 {
        cloop.for[%14 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %20 = cloop.index[%columns, %13] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) floordiv 4)> : (index, i64) -> i64
          %21 = cloop.index[%columns, %14] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
          %22 = cloop.index[%columns, %13] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %23 = cloop.index[%columns, %14] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          cloop.for <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            %24 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256) div 16)> : (index) -> i64
            %25 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            cloop.for[%23, %22 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * 16384 - 32768)> {
            ^bb0(%panel: index):
              %26 = cloop.index[%columns, %panel] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m - 16, 16))> : (index, index) -> i64
              %27 = cloop.index[%columns, %panel] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m, 16))> : (index, index) -> i64
              %28 = cloop.test[%columns, %panel] <(d0, d1) -> (-d0 * 32 - d1 * 32 + m - 32)> : (index, index) -> i1
              cloop.if %28 {
                cloop.for[%25 : i64] <(d0) -> (0, d0)> step 1 {
                ^bb0(%k: index):
                  %29 = cloop.load %w[%columns, %depth, %panel, %k : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * 32 + d3 * m)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  cloop.store %29 into %right[%panel, %k] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %30 = cloop.load %w[%columns, %depth, %panel, %k : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * 32 + d3 * m + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  cloop.store %30 into %right[%panel, %k] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                }
              } else {
                cloop.for[%25 : i64] <(d0) -> (0, d0)> step 1 {
                ^bb0(%k_1: index):
                  %31 = cloop.constant 0.000000e+00 : f32
                  %32 = cloop.broadcast %31 : f32 -> vector<16xf32>
                  %33 = cloop.partial_load %w[%columns, %depth, %panel, %k_1, %27] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m + d2 * 32 + d3 * m, 0, d4)> else %32 : (!cloop.ptr<f32, "const">, index, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                  cloop.store %33 into %right[%panel, %k_1] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %34 = cloop.constant 0.000000e+00 : f32
                  %35 = cloop.broadcast %34 : f32 -> vector<16xf32>
                  %36 = cloop.partial_load %w[%columns, %depth, %panel, %k_1, %26] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m + d2 * 32 + d3 * m + 16, 0, d4)> else %35 : (!cloop.ptr<f32, "const">, index, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                  cloop.store %36 into %right[%panel, %k_1] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                }
              }
            }
            cloop.for[%12 : i64] <(d0) -> (0, d0)> step 256 {
            ^bb0(%rows: index):
              %37 = cloop.index[%rows, %12] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
              cloop.for[%rows, %12, %11 : index, i64, i64] <(d0, d1, d2) -> (0, min(-d0 + d1, 256))> step 1 threads <(d0, d1, d2) -> (min(-d0 + d2, 256) * 4352 - 32768)> {
              ^bb0(%panel_1: index):
                %38 = cloop.test[%rows, %panel_1] <(d0, d1) -> (-d0 * 8 - d1 * 8 + n - 8)> : (index, index) -> i1
                cloop.if %38 {
                  cloop.for <() -> (0, 8)> step 1 {
                  ^bb0(%row: index):
                    cloop.for[%24 : i64] <(d0) -> (0, d0 * 16)> step 16 {
                    ^bb0(%k_2: index):
                      %39 = cloop.load %x[%depth, %rows, %panel_1, %row, %k_2 : index, index, index, index, index] <(d0, d1, d2, d3, d4) -> (d0 + d1 * k * 8 + d2 * k * 8 + d3 * k + d4)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                      cloop.store %39 into %left[%panel_1, %row, %k_2] <(d0, d1, d2) -> (d0 * 2048 + d1 * 256 + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
                    }
                    cloop.for[%24, %25 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 16 {
                    ^bb0(%k_3: index):
                      %40 = cloop.constant 0.000000e+00 : f32
                      %41 = cloop.broadcast %40 : f32 -> vector<16xf32>
                      %42 = cloop.partial_load %x[%depth, %rows, %panel_1, %row, %k_3, %25] <(d0, d1, d2, d3, d4, d5) -> (d0 + d1 * k * 8 + d2 * k * 8 + d3 * k + d4, 0, min(-d4 + d5, 16))> else %41 : (!cloop.ptr<f32, "const">, index, index, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                      cloop.partial_store %42 into %left[%panel_1, %row, %k_3, %25] <(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 256 + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                    }
                  }
                } else {
                  cloop.for <() -> (0, 8)> step 1 {
                  ^bb0(%row_1: index):
                    cloop.for[%24 : i64] <(d0) -> (0, d0 * 16)> step 16 {
                    ^bb0(%k_4: index):
                      %43 = cloop.constant 0.000000e+00 : f32
                      %44 = cloop.broadcast %43 : f32 -> vector<16xf32>
                      %45 = cloop.test[%rows, %panel_1, %row_1] <(d0, d1, d2) -> (-d0 * 8 - d1 * 8 - d2 + n - 1)> : (index, index, index) -> i1
                      %46 = cloop.load %x[%depth, %rows, %panel_1, %row_1, %k_4 : index, index, index, index, index] <(d0, d1, d2, d3, d4) -> (d0 + d1 * k * 8 + d2 * k * 8 + d3 * k + d4)> if %45 : i1 else %44 : vector<16xf32> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                      cloop.store %46 into %left[%panel_1, %row_1, %k_4] <(d0, d1, d2) -> (d0 * 2048 + d1 * 256 + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
                    }
                    cloop.for[%24, %25 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 16 {
                    ^bb0(%k_5: index):
                      %47 = cloop.constant 0.000000e+00 : f32
                      %48 = cloop.broadcast %47 : f32 -> vector<16xf32>
                      %49 = cloop.partial_load %x[%depth, %rows, %panel_1, %row_1, %k_5, %25] <(d0, d1, d2, d3, d4, d5) -> (d0 + d1 * k * 8 + d2 * k * 8 + d3 * k + d4, 0, min(-d1 * 128 - d2 * 128 - d3 * 16 + n * 16, min(-d4 + d5, 16)))> else %48 : (!cloop.ptr<f32, "const">, index, index, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                      cloop.partial_store %49 into %left[%panel_1, %row_1, %k_5, %25] <(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 256 + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                    }
                  }
                }
              }
              cloop.for[%rows, %21, %12, %20, %11 : index, i64, i64, i64, i64] <(d0, d1, d2, d3, d4) -> (0, d1 * ((min(-d0 + d2, 256) + 15) div 16))> step 1 threads <(d0, d1, d2, d3, d4) -> (d3 * ((min(-d0 + d4, 256) + 15) floordiv 16) * 66816 - 32768)> {
              ^bb0(%group: index):
                %50 = cloop.index[%group, %21, %37] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                %51 = cloop.index[%group, %21] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                cloop.for[%group, %21, %23 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                ^bb0(%p: index):
                  %52 = cloop.index[%columns, %p] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m - 16, 16))> : (index, index) -> i64
                  %53 = cloop.index[%columns, %p] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m, 16))> : (index, index) -> i64
                  cloop.for[%51, %50 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                  ^bb0(%q: index):
                    %54 = cloop.index[%rows, %q, %52] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 112, d2))> : (index, index, i64) -> i64
                    %55 = cloop.index[%rows, %q, %53] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 112, d2))> : (index, index, i64) -> i64
                    %56 = cloop.index[%rows, %q, %52] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 96, d2))> : (index, index, i64) -> i64
                    %57 = cloop.index[%rows, %q, %53] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 96, d2))> : (index, index, i64) -> i64
                    %58 = cloop.index[%rows, %q, %52] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 80, d2))> : (index, index, i64) -> i64
                    %59 = cloop.index[%rows, %q, %53] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 80, d2))> : (index, index, i64) -> i64
                    %60 = cloop.index[%rows, %q, %52] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 64, d2))> : (index, index, i64) -> i64
                    %61 = cloop.index[%rows, %q, %53] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 64, d2))> : (index, index, i64) -> i64
                    %62 = cloop.index[%rows, %q, %52] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 48, d2))> : (index, index, i64) -> i64
                    %63 = cloop.index[%rows, %q, %53] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 48, d2))> : (index, index, i64) -> i64
                    %64 = cloop.index[%rows, %q, %52] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 32, d2))> : (index, index, i64) -> i64
                    %65 = cloop.index[%rows, %q, %53] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 32, d2))> : (index, index, i64) -> i64
                    %66 = cloop.index[%rows, %q, %52] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 16, d2))> : (index, index, i64) -> i64
                    %67 = cloop.index[%rows, %q, %53] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 16, d2))> : (index, index, i64) -> i64
                    %68 = cloop.index[%rows, %q, %52] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16, d2))> : (index, index, i64) -> i64
                    %69 = cloop.index[%rows, %q, %53] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16, d2))> : (index, index, i64) -> i64
                    %70 = cloop.constant 0.000000e+00 : f32
                    %71 = cloop.broadcast %70 : f32 -> vector<16xf32>
                    %tile0x0x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile0x1x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile1x0x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile1x1x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile2x0x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile2x1x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile3x0x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile3x1x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile4x0x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile4x1x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile5x0x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile5x1x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile6x0x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile6x1x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile7x0x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %tile7x1x0 = cloop.variable %71 : vector<16xf32> -> vector<16xf32>
                    %72 = cloop.constant 0.000000e+00 : f32
                    %73 = cloop.broadcast %72 : f32 -> vector<16xf32>
                    cloop.assign %tile0x0x0, %73 : vector<16xf32>, vector<16xf32>
                    %74 = cloop.constant 0.000000e+00 : f32
                    %75 = cloop.broadcast %74 : f32 -> vector<16xf32>
                    cloop.assign %tile0x1x0, %75 : vector<16xf32>, vector<16xf32>
                    %76 = cloop.constant 0.000000e+00 : f32
                    %77 = cloop.broadcast %76 : f32 -> vector<16xf32>
                    cloop.assign %tile1x0x0, %77 : vector<16xf32>, vector<16xf32>
                    %78 = cloop.constant 0.000000e+00 : f32
                    %79 = cloop.broadcast %78 : f32 -> vector<16xf32>
                    cloop.assign %tile1x1x0, %79 : vector<16xf32>, vector<16xf32>
                    %80 = cloop.constant 0.000000e+00 : f32
                    %81 = cloop.broadcast %80 : f32 -> vector<16xf32>
                    cloop.assign %tile2x0x0, %81 : vector<16xf32>, vector<16xf32>
                    %82 = cloop.constant 0.000000e+00 : f32
                    %83 = cloop.broadcast %82 : f32 -> vector<16xf32>
                    cloop.assign %tile2x1x0, %83 : vector<16xf32>, vector<16xf32>
                    %84 = cloop.constant 0.000000e+00 : f32
                    %85 = cloop.broadcast %84 : f32 -> vector<16xf32>
                    cloop.assign %tile3x0x0, %85 : vector<16xf32>, vector<16xf32>
                    %86 = cloop.constant 0.000000e+00 : f32
                    %87 = cloop.broadcast %86 : f32 -> vector<16xf32>
                    cloop.assign %tile3x1x0, %87 : vector<16xf32>, vector<16xf32>
                    %88 = cloop.constant 0.000000e+00 : f32
                    %89 = cloop.broadcast %88 : f32 -> vector<16xf32>
                    cloop.assign %tile4x0x0, %89 : vector<16xf32>, vector<16xf32>
                    %90 = cloop.constant 0.000000e+00 : f32
                    %91 = cloop.broadcast %90 : f32 -> vector<16xf32>
                    cloop.assign %tile4x1x0, %91 : vector<16xf32>, vector<16xf32>
                    %92 = cloop.constant 0.000000e+00 : f32
                    %93 = cloop.broadcast %92 : f32 -> vector<16xf32>
                    cloop.assign %tile5x0x0, %93 : vector<16xf32>, vector<16xf32>
                    %94 = cloop.constant 0.000000e+00 : f32
                    %95 = cloop.broadcast %94 : f32 -> vector<16xf32>
                    cloop.assign %tile5x1x0, %95 : vector<16xf32>, vector<16xf32>
                    %96 = cloop.constant 0.000000e+00 : f32
                    %97 = cloop.broadcast %96 : f32 -> vector<16xf32>
                    cloop.assign %tile6x0x0, %97 : vector<16xf32>, vector<16xf32>
                    %98 = cloop.constant 0.000000e+00 : f32
                    %99 = cloop.broadcast %98 : f32 -> vector<16xf32>
                    cloop.assign %tile6x1x0, %99 : vector<16xf32>, vector<16xf32>
                    %100 = cloop.constant 0.000000e+00 : f32
                    %101 = cloop.broadcast %100 : f32 -> vector<16xf32>
                    cloop.assign %tile7x0x0, %101 : vector<16xf32>, vector<16xf32>
                    %102 = cloop.constant 0.000000e+00 : f32
                    %103 = cloop.broadcast %102 : f32 -> vector<16xf32>
                    cloop.assign %tile7x1x0, %103 : vector<16xf32>, vector<16xf32>
                    cloop.for[%25 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_6: index):
                      %104 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1)> : !cloop.ptr<f32, "restrict"> -> f32
                      %105 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %106 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                      %107 = cloop.broadcast %104 : f32 -> vector<16xf32>
                      %108 = cloop.compute "fma"(%107, %105, %106) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x0x0, %108 : vector<16xf32>, vector<16xf32>
                      %109 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1)> : !cloop.ptr<f32, "restrict"> -> f32
                      %110 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %111 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                      %112 = cloop.broadcast %109 : f32 -> vector<16xf32>
                      %113 = cloop.compute "fma"(%112, %110, %111) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x1x0, %113 : vector<16xf32>, vector<16xf32>
                      %114 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 256)> : !cloop.ptr<f32, "restrict"> -> f32
                      %115 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %116 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                      %117 = cloop.broadcast %114 : f32 -> vector<16xf32>
                      %118 = cloop.compute "fma"(%117, %115, %116) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x0x0, %118 : vector<16xf32>, vector<16xf32>
                      %119 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 256)> : !cloop.ptr<f32, "restrict"> -> f32
                      %120 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %121 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                      %122 = cloop.broadcast %119 : f32 -> vector<16xf32>
                      %123 = cloop.compute "fma"(%122, %120, %121) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x1x0, %123 : vector<16xf32>, vector<16xf32>
                      %124 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 512)> : !cloop.ptr<f32, "restrict"> -> f32
                      %125 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %126 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                      %127 = cloop.broadcast %124 : f32 -> vector<16xf32>
                      %128 = cloop.compute "fma"(%127, %125, %126) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x0x0, %128 : vector<16xf32>, vector<16xf32>
                      %129 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 512)> : !cloop.ptr<f32, "restrict"> -> f32
                      %130 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %131 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                      %132 = cloop.broadcast %129 : f32 -> vector<16xf32>
                      %133 = cloop.compute "fma"(%132, %130, %131) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x1x0, %133 : vector<16xf32>, vector<16xf32>
                      %134 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 768)> : !cloop.ptr<f32, "restrict"> -> f32
                      %135 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %136 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                      %137 = cloop.broadcast %134 : f32 -> vector<16xf32>
                      %138 = cloop.compute "fma"(%137, %135, %136) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x0x0, %138 : vector<16xf32>, vector<16xf32>
                      %139 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 768)> : !cloop.ptr<f32, "restrict"> -> f32
                      %140 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %141 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                      %142 = cloop.broadcast %139 : f32 -> vector<16xf32>
                      %143 = cloop.compute "fma"(%142, %140, %141) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x1x0, %143 : vector<16xf32>, vector<16xf32>
                      %144 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1024)> : !cloop.ptr<f32, "restrict"> -> f32
                      %145 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %146 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                      %147 = cloop.broadcast %144 : f32 -> vector<16xf32>
                      %148 = cloop.compute "fma"(%147, %145, %146) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x0x0, %148 : vector<16xf32>, vector<16xf32>
                      %149 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1024)> : !cloop.ptr<f32, "restrict"> -> f32
                      %150 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %151 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                      %152 = cloop.broadcast %149 : f32 -> vector<16xf32>
                      %153 = cloop.compute "fma"(%152, %150, %151) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x1x0, %153 : vector<16xf32>, vector<16xf32>
                      %154 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1280)> : !cloop.ptr<f32, "restrict"> -> f32
                      %155 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %156 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                      %157 = cloop.broadcast %154 : f32 -> vector<16xf32>
                      %158 = cloop.compute "fma"(%157, %155, %156) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x0x0, %158 : vector<16xf32>, vector<16xf32>
                      %159 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1280)> : !cloop.ptr<f32, "restrict"> -> f32
                      %160 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %161 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                      %162 = cloop.broadcast %159 : f32 -> vector<16xf32>
                      %163 = cloop.compute "fma"(%162, %160, %161) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x1x0, %163 : vector<16xf32>, vector<16xf32>
                      %164 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1536)> : !cloop.ptr<f32, "restrict"> -> f32
                      %165 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %166 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                      %167 = cloop.broadcast %164 : f32 -> vector<16xf32>
                      %168 = cloop.compute "fma"(%167, %165, %166) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x0x0, %168 : vector<16xf32>, vector<16xf32>
                      %169 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1536)> : !cloop.ptr<f32, "restrict"> -> f32
                      %170 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %171 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                      %172 = cloop.broadcast %169 : f32 -> vector<16xf32>
                      %173 = cloop.compute "fma"(%172, %170, %171) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x1x0, %173 : vector<16xf32>, vector<16xf32>
                      %174 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1792)> : !cloop.ptr<f32, "restrict"> -> f32
                      %175 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %176 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                      %177 = cloop.broadcast %174 : f32 -> vector<16xf32>
                      %178 = cloop.compute "fma"(%177, %175, %176) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x0x0, %178 : vector<16xf32>, vector<16xf32>
                      %179 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1792)> : !cloop.ptr<f32, "restrict"> -> f32
                      %180 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %181 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                      %182 = cloop.broadcast %179 : f32 -> vector<16xf32>
                      %183 = cloop.compute "fma"(%182, %180, %181) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x1x0, %183 : vector<16xf32>, vector<16xf32>
                    }
                    %184 = cloop.test[%depth] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %184 {
                      %185 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %186 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                      %187 = cloop.compute "add"(%186, %185) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x0x0, %187 : vector<16xf32>, vector<16xf32>
                      %188 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %189 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                      %190 = cloop.compute "add"(%189, %188) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x1x0, %190 : vector<16xf32>, vector<16xf32>
                      %191 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %192 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                      %193 = cloop.compute "add"(%192, %191) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x0x0, %193 : vector<16xf32>, vector<16xf32>
                      %194 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %195 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                      %196 = cloop.compute "add"(%195, %194) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x1x0, %196 : vector<16xf32>, vector<16xf32>
                      %197 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %198 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                      %199 = cloop.compute "add"(%198, %197) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x0x0, %199 : vector<16xf32>, vector<16xf32>
                      %200 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %201 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                      %202 = cloop.compute "add"(%201, %200) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x1x0, %202 : vector<16xf32>, vector<16xf32>
                      %203 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %204 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                      %205 = cloop.compute "add"(%204, %203) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x0x0, %205 : vector<16xf32>, vector<16xf32>
                      %206 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %207 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                      %208 = cloop.compute "add"(%207, %206) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x1x0, %208 : vector<16xf32>, vector<16xf32>
                      %209 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %210 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                      %211 = cloop.compute "add"(%210, %209) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x0x0, %211 : vector<16xf32>, vector<16xf32>
                      %212 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %213 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                      %214 = cloop.compute "add"(%213, %212) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x1x0, %214 : vector<16xf32>, vector<16xf32>
                      %215 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %216 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                      %217 = cloop.compute "add"(%216, %215) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x0x0, %217 : vector<16xf32>, vector<16xf32>
                      %218 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %219 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                      %220 = cloop.compute "add"(%219, %218) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x1x0, %220 : vector<16xf32>, vector<16xf32>
                      %221 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %222 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                      %223 = cloop.compute "add"(%222, %221) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x0x0, %223 : vector<16xf32>, vector<16xf32>
                      %224 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %225 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                      %226 = cloop.compute "add"(%225, %224) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x1x0, %226 : vector<16xf32>, vector<16xf32>
                      %227 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %228 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                      %229 = cloop.compute "add"(%228, %227) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x0x0, %229 : vector<16xf32>, vector<16xf32>
                      %230 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %231 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                      %232 = cloop.compute "add"(%231, %230) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x1x0, %232 : vector<16xf32>, vector<16xf32>
                    }
                    %233 = cloop.test[%depth] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %233 {
                      %234 = cloop.test[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (-d1 * 8 - d3 * 8 + n - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index) -> i1
                      cloop.if %234 {
                        %235 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %235 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %236 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %236 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %237 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %237 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %238 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %238 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %239 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %239 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %240 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %240 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %241 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %241 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %242 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %242 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %243 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %243 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %244 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %244 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %245 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %245 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %246 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %246 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %247 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %247 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %248 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %248 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %249 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %249 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %250 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %250 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                      } else {
                        %251 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %251 into %18[%columns, %rows, %p, %q, %69] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %252 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %252 into %18[%columns, %rows, %p, %q, %68] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %253 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %253 into %18[%columns, %rows, %p, %q, %67] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %254 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %254 into %18[%columns, %rows, %p, %q, %66] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %255 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %255 into %18[%columns, %rows, %p, %q, %65] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %256 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %256 into %18[%columns, %rows, %p, %q, %64] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %257 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %257 into %18[%columns, %rows, %p, %q, %63] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %258 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %258 into %18[%columns, %rows, %p, %q, %62] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %259 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %259 into %18[%columns, %rows, %p, %q, %61] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %260 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %260 into %18[%columns, %rows, %p, %q, %60] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %261 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %261 into %18[%columns, %rows, %p, %q, %59] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %262 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %262 into %18[%columns, %rows, %p, %q, %58] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %263 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %263 into %18[%columns, %rows, %p, %q, %57] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %264 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %264 into %18[%columns, %rows, %p, %q, %56] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %265 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %265 into %18[%columns, %rows, %p, %q, %55] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %266 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %266 into %18[%columns, %rows, %p, %q, %54] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                      }
                    } else {
                      %267 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %267 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %268 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %268 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %269 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %269 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %270 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %270 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %271 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %271 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %272 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %272 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %273 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %273 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %274 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %274 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %275 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %275 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %276 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %276 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %277 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %277 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %278 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %278 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %279 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %279 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %280 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %280 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %281 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %281 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %282 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %282 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                    }
                  }
                }
              }
            }
          }
        }
      } else {
        cloop.for[%9, %8, %7, %6 : i64, i64, i64, i64] <(d0, d1, d2, d3) -> (0, n)> step 1 threads <(d0, d1, d2, d3) -> (-d0 * d1 * d3 * n * 56 + d0 * d1 * k * n * 8 + d0 * d1 * n * 16 - d0 * d2 * d3 * n * 56 + d0 * d2 * k * n * 8 + d0 * d2 * n * 16 - 32768)> {
        ^bb0(%i: index):
          cloop.for <() -> (0, m)> step 2048 {
          ^bb0(%block: index):
            %283 = cloop.index[%block] <(d0) -> (min(-d0 + m, 2048) div 8)> : (index) -> i64
            %284 = cloop.index[%block] <(d0) -> (min(-d0 + m, 2048))> : (index) -> i64
            %285 = cloop.thread : i64
            %row_2 = cloop.offset %17[%285, %8] <(d0, d1) -> (d0 * d1 * 8)> : (!cloop.ptr<f64, "restrict">, i64, i64) -> !cloop.ptr<f64, "restrict">
            cloop.for[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) div 8) * 8)> step 8 {
            ^bb0(%j: index):
              %286 = cloop.constant 0.000000e+00 : f64
              %287 = cloop.broadcast %286 : f64 -> vector<8xf64>
              cloop.store %287 into %row_2[%j] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
            }
            cloop.for[%block : index] <(d0) -> ((min(-d0 + m, 2048) div 8) * 8, min(-d0 + m, 2048))> step 8 {
            ^bb0(%j_1: index):
              %288 = cloop.constant 0.000000e+00 : f64
              %289 = cloop.broadcast %288 : f64 -> vector<8xf64>
              cloop.partial_store %289 into %row_2[%j_1, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
            }
            cloop.for[%5 : i64] <(d0) -> (0, d0 * 8)> step 8 {
            ^bb0(%k_7: index):
              cloop.for[%283 : i64] <(d0) -> (0, d0 * 8)> step 8 {
              ^bb0(%j_2: index):
                %290 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1)> : !cloop.ptr<f32, "const"> -> f32
                %291 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %292 = cloop.broadcast %290 : f32 -> vector<8xf32>
                %293 = cloop.compute "mul"(%292, %291) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %294 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 1)> : !cloop.ptr<f32, "const"> -> f32
                %295 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %296 = cloop.broadcast %294 : f32 -> vector<8xf32>
                %297 = cloop.compute "mul"(%296, %295) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %298 = cloop.compute "add"(%293, %297) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %299 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 2)> : !cloop.ptr<f32, "const"> -> f32
                %300 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %301 = cloop.broadcast %299 : f32 -> vector<8xf32>
                %302 = cloop.compute "mul"(%301, %300) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %303 = cloop.compute "add"(%298, %302) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %304 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 3)> : !cloop.ptr<f32, "const"> -> f32
                %305 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 3)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %306 = cloop.broadcast %304 : f32 -> vector<8xf32>
                %307 = cloop.compute "mul"(%306, %305) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %308 = cloop.compute "add"(%303, %307) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %309 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 4)> : !cloop.ptr<f32, "const"> -> f32
                %310 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 4)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %311 = cloop.broadcast %309 : f32 -> vector<8xf32>
                %312 = cloop.compute "mul"(%311, %310) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %313 = cloop.compute "add"(%308, %312) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %314 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 5)> : !cloop.ptr<f32, "const"> -> f32
                %315 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 5)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %316 = cloop.broadcast %314 : f32 -> vector<8xf32>
                %317 = cloop.compute "mul"(%316, %315) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %318 = cloop.compute "add"(%313, %317) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %319 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 6)> : !cloop.ptr<f32, "const"> -> f32
                %320 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 6)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %321 = cloop.broadcast %319 : f32 -> vector<8xf32>
                %322 = cloop.compute "mul"(%321, %320) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %323 = cloop.compute "add"(%318, %322) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %324 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 7)> : !cloop.ptr<f32, "const"> -> f32
                %325 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 7)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %326 = cloop.broadcast %324 : f32 -> vector<8xf32>
                %327 = cloop.compute "mul"(%326, %325) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %328 = cloop.compute "add"(%323, %327) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %329 = cloop.cast %328 : vector<8xf32> -> vector<8xf64>
                %330 = cloop.load %row_2[%j_2 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                %331 = cloop.compute "add"(%330, %329) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.store %331 into %row_2[%j_2] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
              }
              cloop.for[%283, %284 : i64, i64] <(d0, d1) -> (d0 * 8, d1)> step 8 {
              ^bb0(%j_3: index):
                %332 = cloop.constant 0.000000e+00 : f32
                %333 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %334 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %333 : i1 else %332 : f32 : !cloop.ptr<f32, "const"> -> f32
                %335 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %336 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %335 : i1 else %332 : f32 : !cloop.ptr<f32, "const"> -> f32
                %337 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %338 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %337 : i1 else %332 : f32 : !cloop.ptr<f32, "const"> -> f32
                %339 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %340 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %339 : i1 else %332 : f32 : !cloop.ptr<f32, "const"> -> f32
                %341 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %342 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %341 : i1 else %332 : f32 : !cloop.ptr<f32, "const"> -> f32
                %343 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %344 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %343 : i1 else %332 : f32 : !cloop.ptr<f32, "const"> -> f32
                %345 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %346 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %345 : i1 else %332 : f32 : !cloop.ptr<f32, "const"> -> f32
                %347 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %348 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %347 : i1 else %332 : f32 : !cloop.ptr<f32, "const"> -> f32
                %349 = cloop.from_elements %334, %336, %338, %340, %342, %344, %346, %348 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %350 = cloop.constant 0.000000e+00 : f32
                %351 = cloop.broadcast %350 : f32 -> vector<8xf32>
                %352 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(-d2 + d3, 8))> else %351 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %353 = cloop.compute "mul"(%349, %352) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %354 = cloop.constant 0.000000e+00 : f32
                %355 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %356 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %355 : i1 else %354 : f32 : !cloop.ptr<f32, "const"> -> f32
                %357 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %358 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %357 : i1 else %354 : f32 : !cloop.ptr<f32, "const"> -> f32
                %359 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %360 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %359 : i1 else %354 : f32 : !cloop.ptr<f32, "const"> -> f32
                %361 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %362 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %361 : i1 else %354 : f32 : !cloop.ptr<f32, "const"> -> f32
                %363 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %364 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %363 : i1 else %354 : f32 : !cloop.ptr<f32, "const"> -> f32
                %365 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %366 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %365 : i1 else %354 : f32 : !cloop.ptr<f32, "const"> -> f32
                %367 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %368 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %367 : i1 else %354 : f32 : !cloop.ptr<f32, "const"> -> f32
                %369 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %370 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %369 : i1 else %354 : f32 : !cloop.ptr<f32, "const"> -> f32
                %371 = cloop.from_elements %356, %358, %360, %362, %364, %366, %368, %370 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %372 = cloop.constant 0.000000e+00 : f32
                %373 = cloop.broadcast %372 : f32 -> vector<8xf32>
                %374 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m, 0, min(-d2 + d3, 8))> else %373 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %375 = cloop.compute "mul"(%371, %374) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %376 = cloop.compute "add"(%353, %375) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %377 = cloop.constant 0.000000e+00 : f32
                %378 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %379 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %378 : i1 else %377 : f32 : !cloop.ptr<f32, "const"> -> f32
                %380 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %381 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %380 : i1 else %377 : f32 : !cloop.ptr<f32, "const"> -> f32
                %382 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %383 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %382 : i1 else %377 : f32 : !cloop.ptr<f32, "const"> -> f32
                %384 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %385 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %384 : i1 else %377 : f32 : !cloop.ptr<f32, "const"> -> f32
                %386 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %387 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %386 : i1 else %377 : f32 : !cloop.ptr<f32, "const"> -> f32
                %388 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %389 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %388 : i1 else %377 : f32 : !cloop.ptr<f32, "const"> -> f32
                %390 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %391 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %390 : i1 else %377 : f32 : !cloop.ptr<f32, "const"> -> f32
                %392 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %393 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %392 : i1 else %377 : f32 : !cloop.ptr<f32, "const"> -> f32
                %394 = cloop.from_elements %379, %381, %383, %385, %387, %389, %391, %393 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %395 = cloop.constant 0.000000e+00 : f32
                %396 = cloop.broadcast %395 : f32 -> vector<8xf32>
                %397 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 2, 0, min(-d2 + d3, 8))> else %396 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %398 = cloop.compute "mul"(%394, %397) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %399 = cloop.compute "add"(%376, %398) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %400 = cloop.constant 0.000000e+00 : f32
                %401 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %402 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %401 : i1 else %400 : f32 : !cloop.ptr<f32, "const"> -> f32
                %403 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %404 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %403 : i1 else %400 : f32 : !cloop.ptr<f32, "const"> -> f32
                %405 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %406 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %405 : i1 else %400 : f32 : !cloop.ptr<f32, "const"> -> f32
                %407 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %408 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %407 : i1 else %400 : f32 : !cloop.ptr<f32, "const"> -> f32
                %409 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %410 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %409 : i1 else %400 : f32 : !cloop.ptr<f32, "const"> -> f32
                %411 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %412 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %411 : i1 else %400 : f32 : !cloop.ptr<f32, "const"> -> f32
                %413 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %414 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %413 : i1 else %400 : f32 : !cloop.ptr<f32, "const"> -> f32
                %415 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %416 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %415 : i1 else %400 : f32 : !cloop.ptr<f32, "const"> -> f32
                %417 = cloop.from_elements %402, %404, %406, %408, %410, %412, %414, %416 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %418 = cloop.constant 0.000000e+00 : f32
                %419 = cloop.broadcast %418 : f32 -> vector<8xf32>
                %420 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 3, 0, min(-d2 + d3, 8))> else %419 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %421 = cloop.compute "mul"(%417, %420) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %422 = cloop.compute "add"(%399, %421) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %423 = cloop.constant 0.000000e+00 : f32
                %424 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %425 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %424 : i1 else %423 : f32 : !cloop.ptr<f32, "const"> -> f32
                %426 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %427 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %426 : i1 else %423 : f32 : !cloop.ptr<f32, "const"> -> f32
                %428 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %429 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %428 : i1 else %423 : f32 : !cloop.ptr<f32, "const"> -> f32
                %430 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %431 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %430 : i1 else %423 : f32 : !cloop.ptr<f32, "const"> -> f32
                %432 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %433 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %432 : i1 else %423 : f32 : !cloop.ptr<f32, "const"> -> f32
                %434 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %435 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %434 : i1 else %423 : f32 : !cloop.ptr<f32, "const"> -> f32
                %436 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %437 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %436 : i1 else %423 : f32 : !cloop.ptr<f32, "const"> -> f32
                %438 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %439 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %438 : i1 else %423 : f32 : !cloop.ptr<f32, "const"> -> f32
                %440 = cloop.from_elements %425, %427, %429, %431, %433, %435, %437, %439 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %441 = cloop.constant 0.000000e+00 : f32
                %442 = cloop.broadcast %441 : f32 -> vector<8xf32>
                %443 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 4, 0, min(-d2 + d3, 8))> else %442 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %444 = cloop.compute "mul"(%440, %443) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %445 = cloop.compute "add"(%422, %444) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %446 = cloop.constant 0.000000e+00 : f32
                %447 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %448 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %447 : i1 else %446 : f32 : !cloop.ptr<f32, "const"> -> f32
                %449 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %450 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %449 : i1 else %446 : f32 : !cloop.ptr<f32, "const"> -> f32
                %451 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %452 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %451 : i1 else %446 : f32 : !cloop.ptr<f32, "const"> -> f32
                %453 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %454 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %453 : i1 else %446 : f32 : !cloop.ptr<f32, "const"> -> f32
                %455 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %456 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %455 : i1 else %446 : f32 : !cloop.ptr<f32, "const"> -> f32
                %457 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %458 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %457 : i1 else %446 : f32 : !cloop.ptr<f32, "const"> -> f32
                %459 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %460 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %459 : i1 else %446 : f32 : !cloop.ptr<f32, "const"> -> f32
                %461 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %462 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %461 : i1 else %446 : f32 : !cloop.ptr<f32, "const"> -> f32
                %463 = cloop.from_elements %448, %450, %452, %454, %456, %458, %460, %462 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %464 = cloop.constant 0.000000e+00 : f32
                %465 = cloop.broadcast %464 : f32 -> vector<8xf32>
                %466 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 5, 0, min(-d2 + d3, 8))> else %465 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %467 = cloop.compute "mul"(%463, %466) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %468 = cloop.compute "add"(%445, %467) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %469 = cloop.constant 0.000000e+00 : f32
                %470 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %471 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %470 : i1 else %469 : f32 : !cloop.ptr<f32, "const"> -> f32
                %472 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %473 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %472 : i1 else %469 : f32 : !cloop.ptr<f32, "const"> -> f32
                %474 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %475 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %474 : i1 else %469 : f32 : !cloop.ptr<f32, "const"> -> f32
                %476 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %477 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %476 : i1 else %469 : f32 : !cloop.ptr<f32, "const"> -> f32
                %478 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %479 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %478 : i1 else %469 : f32 : !cloop.ptr<f32, "const"> -> f32
                %480 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %481 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %480 : i1 else %469 : f32 : !cloop.ptr<f32, "const"> -> f32
                %482 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %483 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %482 : i1 else %469 : f32 : !cloop.ptr<f32, "const"> -> f32
                %484 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %485 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %484 : i1 else %469 : f32 : !cloop.ptr<f32, "const"> -> f32
                %486 = cloop.from_elements %471, %473, %475, %477, %479, %481, %483, %485 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %487 = cloop.constant 0.000000e+00 : f32
                %488 = cloop.broadcast %487 : f32 -> vector<8xf32>
                %489 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 6, 0, min(-d2 + d3, 8))> else %488 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %490 = cloop.compute "mul"(%486, %489) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %491 = cloop.compute "add"(%468, %490) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %492 = cloop.constant 0.000000e+00 : f32
                %493 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %494 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %493 : i1 else %492 : f32 : !cloop.ptr<f32, "const"> -> f32
                %495 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %496 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %495 : i1 else %492 : f32 : !cloop.ptr<f32, "const"> -> f32
                %497 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %498 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %497 : i1 else %492 : f32 : !cloop.ptr<f32, "const"> -> f32
                %499 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %500 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %499 : i1 else %492 : f32 : !cloop.ptr<f32, "const"> -> f32
                %501 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %502 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %501 : i1 else %492 : f32 : !cloop.ptr<f32, "const"> -> f32
                %503 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %504 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %503 : i1 else %492 : f32 : !cloop.ptr<f32, "const"> -> f32
                %505 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %506 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %505 : i1 else %492 : f32 : !cloop.ptr<f32, "const"> -> f32
                %507 = cloop.test[%j_3, %284] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %508 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %507 : i1 else %492 : f32 : !cloop.ptr<f32, "const"> -> f32
                %509 = cloop.from_elements %494, %496, %498, %500, %502, %504, %506, %508 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %510 = cloop.constant 0.000000e+00 : f32
                %511 = cloop.broadcast %510 : f32 -> vector<8xf32>
                %512 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 7, 0, min(-d2 + d3, 8))> else %511 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %513 = cloop.compute "mul"(%509, %512) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %514 = cloop.compute "add"(%491, %513) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %515 = cloop.cast %514 : vector<8xf32> -> vector<8xf64>
                %516 = cloop.constant 0.000000e+00 : f64
                %517 = cloop.broadcast %516 : f64 -> vector<8xf64>
                %518 = cloop.partial_load %row_2[%j_3, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %517 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                %519 = cloop.compute "add"(%518, %515) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.partial_store %519 into %row_2[%j_3, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
              }
            }
            cloop.for[%5 : i64] <(d0) -> (d0 * 8, k)> step 1 {
            ^bb0(%k_8: index):
              cloop.for[%283 : i64] <(d0) -> (0, d0 * 8)> step 8 {
              ^bb0(%j_4: index):
                %520 = cloop.load %x[%i, %k_8 : index, index] <(d0, d1) -> (d0 * k + d1)> : !cloop.ptr<f32, "const"> -> f32
                %521 = cloop.load %w[%block, %k_8, %j_4 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %522 = cloop.broadcast %520 : f32 -> vector<8xf32>
                %523 = cloop.compute "mul"(%522, %521) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %524 = cloop.cast %523 : vector<8xf32> -> vector<8xf64>
                %525 = cloop.load %row_2[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                %526 = cloop.compute "add"(%525, %524) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.store %526 into %row_2[%j_4] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
              }
              cloop.for[%283, %284 : i64, i64] <(d0, d1) -> (d0 * 8, d1)> step 8 {
              ^bb0(%j_5: index):
                %527 = cloop.constant 0.000000e+00 : f32
                %528 = cloop.test[%j_5, %284] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %529 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %528 : i1 else %527 : f32 : !cloop.ptr<f32, "const"> -> f32
                %530 = cloop.test[%j_5, %284] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %531 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %530 : i1 else %527 : f32 : !cloop.ptr<f32, "const"> -> f32
                %532 = cloop.test[%j_5, %284] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %533 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %532 : i1 else %527 : f32 : !cloop.ptr<f32, "const"> -> f32
                %534 = cloop.test[%j_5, %284] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %535 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %534 : i1 else %527 : f32 : !cloop.ptr<f32, "const"> -> f32
                %536 = cloop.test[%j_5, %284] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %537 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %536 : i1 else %527 : f32 : !cloop.ptr<f32, "const"> -> f32
                %538 = cloop.test[%j_5, %284] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %539 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %538 : i1 else %527 : f32 : !cloop.ptr<f32, "const"> -> f32
                %540 = cloop.test[%j_5, %284] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %541 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %540 : i1 else %527 : f32 : !cloop.ptr<f32, "const"> -> f32
                %542 = cloop.test[%j_5, %284] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %543 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %542 : i1 else %527 : f32 : !cloop.ptr<f32, "const"> -> f32
                %544 = cloop.from_elements %529, %531, %533, %535, %537, %539, %541, %543 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %545 = cloop.constant 0.000000e+00 : f32
                %546 = cloop.broadcast %545 : f32 -> vector<8xf32>
                %547 = cloop.partial_load %w[%block, %k_8, %j_5, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(-d2 + d3, 8))> else %546 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %548 = cloop.compute "mul"(%544, %547) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %549 = cloop.cast %548 : vector<8xf32> -> vector<8xf64>
                %550 = cloop.constant 0.000000e+00 : f64
                %551 = cloop.broadcast %550 : f64 -> vector<8xf64>
                %552 = cloop.partial_load %row_2[%j_5, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %551 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                %553 = cloop.compute "add"(%552, %549) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.partial_store %553 into %row_2[%j_5, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
              }
            }
            cloop.for[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) div 8) * 8)> step 8 {
            ^bb0(%j_6: index):
              %554 = cloop.load %row_2[%j_6 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
              %555 = cloop.cast %554 : vector<8xf64> -> vector<8xf32>
              cloop.store %555 into %18[%i, %block, %j_6] <(d0, d1, d2) -> (d0 * m + d1 + d2)> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%block : index] <(d0) -> ((min(-d0 + m, 2048) div 8) * 8, min(-d0 + m, 2048))> step 8 {
            ^bb0(%j_7: index):
              %556 = cloop.constant 0.000000e+00 : f64
              %557 = cloop.broadcast %556 : f64 -> vector<8xf64>
              %558 = cloop.partial_load %row_2[%j_7, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %557 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
              %559 = cloop.cast %558 : vector<8xf64> -> vector<8xf32>
              cloop.partial_store %559 into %18[%i, %block, %j_7, %284] <(d0, d1, d2, d3) -> (d0 * m + d1 + d2, 0, min(-d2 + d3, 8))> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    cloop.block {
      cloop.for[%4, %3, %2 : i64, i64, i64] <(d0, d1, d2) -> (0, n)> step 1 threads <(d0, d1, d2) -> (d0 * n * 48 + d1 * d2 * n * 64 + d1 * n * 128 - d2 * n * 64 + n * 320 - 32768)> {
      ^bb0(%i_1: index):
        %560 = cloop.thread : i64
        %561 = cloop.offset %16[%560, %4] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %562 = cloop.constant 0xff800000 : f32
        %563 = cloop.constant 0.000000e+00 : f32
        %564 = cloop.broadcast %563 : f32 -> vector<16xf32>
        %partial0x0 = cloop.variable %564 : vector<16xf32> -> vector<16xf32>
        %partial1x0 = cloop.variable %564 : vector<16xf32> -> vector<16xf32>
        %partial2x0 = cloop.variable %564 : vector<16xf32> -> vector<16xf32>
        %partial3x0 = cloop.variable %564 : vector<16xf32> -> vector<16xf32>
        %565 = cloop.broadcast %562 : f32 -> vector<16xf32>
        cloop.assign %partial0x0, %565 : vector<16xf32>, vector<16xf32>
        %566 = cloop.broadcast %562 : f32 -> vector<16xf32>
        cloop.assign %partial1x0, %566 : vector<16xf32>, vector<16xf32>
        %567 = cloop.broadcast %562 : f32 -> vector<16xf32>
        cloop.assign %partial2x0, %567 : vector<16xf32>, vector<16xf32>
        %568 = cloop.broadcast %562 : f32 -> vector<16xf32>
        cloop.assign %partial3x0, %568 : vector<16xf32>, vector<16xf32>
        cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 64 {
        ^bb0(%j_8: index):
          %569 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %570 = cloop.load %b[%j_8 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %571 = cloop.compute "add"(%569, %570) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %572 = cloop.constant 0.000000e+00 : f32
          %573 = cloop.broadcast %572 : f32 -> vector<16xf32>
          %574 = cloop.compute "max"(%571, %573) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %575 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %576 = cloop.compute "max"(%575, %574) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %576 : vector<16xf32>, vector<16xf32>
          %577 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %578 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %579 = cloop.compute "add"(%577, %578) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %580 = cloop.constant 0.000000e+00 : f32
          %581 = cloop.broadcast %580 : f32 -> vector<16xf32>
          %582 = cloop.compute "max"(%579, %581) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %583 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
          %584 = cloop.compute "max"(%583, %582) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial1x0, %584 : vector<16xf32>, vector<16xf32>
          %585 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %586 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %587 = cloop.compute "add"(%585, %586) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %588 = cloop.constant 0.000000e+00 : f32
          %589 = cloop.broadcast %588 : f32 -> vector<16xf32>
          %590 = cloop.compute "max"(%587, %589) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %591 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
          %592 = cloop.compute "max"(%591, %590) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial2x0, %592 : vector<16xf32>, vector<16xf32>
          %593 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %594 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %595 = cloop.compute "add"(%593, %594) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %596 = cloop.constant 0.000000e+00 : f32
          %597 = cloop.broadcast %596 : f32 -> vector<16xf32>
          %598 = cloop.compute "max"(%595, %597) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %599 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
          %600 = cloop.compute "max"(%599, %598) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial3x0, %600 : vector<16xf32>, vector<16xf32>
        }
        cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
        ^bb0(%j_9: index):
          %601 = cloop.constant 0.000000e+00 : f32
          %602 = cloop.broadcast %601 : f32 -> vector<16xf32>
          %603 = cloop.partial_load %18[%i_1, %j_9] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %602 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
          %604 = cloop.constant 0.000000e+00 : f32
          %605 = cloop.broadcast %604 : f32 -> vector<16xf32>
          %606 = cloop.partial_load %b[%j_9] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %605 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
          %607 = cloop.compute "add"(%603, %606) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %608 = cloop.constant 0.000000e+00 : f32
          %609 = cloop.broadcast %608 : f32 -> vector<16xf32>
          %610 = cloop.compute "max"(%607, %609) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %611 = cloop.index[] <() -> (0)> : () -> i64
          %612 = cloop.index[%j_9] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
          %613 = cloop.lanes 0 : vector<16xi32>
          %614 = cloop.cast %611 : i64 -> i32
          %615 = cloop.cast %612 : i64 -> i32
          %616 = cloop.broadcast %614 : i32 -> vector<16xi32>
          %617 = cloop.compute "ge"(%613, %616) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %618 = cloop.broadcast %615 : i32 -> vector<16xi32>
          %619 = cloop.compute "lt"(%613, %618) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %620 = cloop.compute "and"(%617, %619) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
          %621 = cloop.broadcast %562 : f32 -> vector<16xf32>
          %622 = cloop.compute "select"(%620, %610, %621) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %623 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %624 = cloop.compute "max"(%623, %622) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %624 : vector<16xf32>, vector<16xf32>
        }
        %625 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
        %626 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %627 = cloop.compute "max"(%626, %625) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0, %627 : vector<16xf32>, vector<16xf32>
        %628 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
        %629 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %630 = cloop.compute "max"(%629, %628) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0, %630 : vector<16xf32>, vector<16xf32>
        %631 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
        %632 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %633 = cloop.compute "max"(%632, %631) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0, %633 : vector<16xf32>, vector<16xf32>
        %634 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %635 = cloop.fold "max" %634 : vector<16xf32> -> f32
        %636 = cloop.compute "max"(%562, %635) : (f32, f32) -> f32
        %637 = cloop.constant 0.000000e+00 : f64
        %638 = cloop.constant 0.000000e+00 : f32
        %639 = cloop.broadcast %638 : f32 -> vector<16xf32>
        %partial0x0_1 = cloop.variable %639 : vector<16xf32> -> vector<16xf32>
        %partial1x0_1 = cloop.variable %639 : vector<16xf32> -> vector<16xf32>
        %partial2x0_1 = cloop.variable %639 : vector<16xf32> -> vector<16xf32>
        %partial3x0_1 = cloop.variable %639 : vector<16xf32> -> vector<16xf32>
        %640 = cloop.constant 0.000000e+00 : f64
        %641 = cloop.broadcast %640 : f64 -> vector<8xf64>
        %partial0 = cloop.variable %641 : vector<8xf64> -> vector<8xf64>
        %partial0_1 = cloop.variable %641 : vector<8xf64> -> vector<8xf64>
        %642 = cloop.constant 0.000000e+00 : f32
        %643 = cloop.broadcast %642 : f32 -> vector<16xf32>
        cloop.assign %partial0x0_1, %643 : vector<16xf32>, vector<16xf32>
        %644 = cloop.constant 0.000000e+00 : f32
        %645 = cloop.broadcast %644 : f32 -> vector<16xf32>
        cloop.assign %partial1x0_1, %645 : vector<16xf32>, vector<16xf32>
        %646 = cloop.constant 0.000000e+00 : f32
        %647 = cloop.broadcast %646 : f32 -> vector<16xf32>
        cloop.assign %partial2x0_1, %647 : vector<16xf32>, vector<16xf32>
        %648 = cloop.constant 0.000000e+00 : f32
        %649 = cloop.broadcast %648 : f32 -> vector<16xf32>
        cloop.assign %partial3x0_1, %649 : vector<16xf32>, vector<16xf32>
        %650 = cloop.broadcast %637 : f64 -> vector<8xf64>
        cloop.assign %partial0, %650 : vector<8xf64>, vector<8xf64>
        cloop.assign %partial0_1, %650 : vector<8xf64>, vector<8xf64>
        cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 1024 {
        ^bb0(%chunk: index):
          cloop.for[%chunk, %1 : index, i64] <(d0, d1) -> (d0, min(d0 + 1024, d1 * 64))> step 64 {
          ^bb0(%j_10: index):
            %651 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %652 = cloop.load %b[%j_10 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %653 = cloop.compute "add"(%651, %652) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %654 = cloop.constant 0.000000e+00 : f32
            %655 = cloop.broadcast %654 : f32 -> vector<16xf32>
            %656 = cloop.compute "max"(%653, %655) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %657 = cloop.broadcast %636 : f32 -> vector<16xf32>
            %658 = cloop.compute "sub"(%656, %657) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %659 = cloop.compute "exp"(%658) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %659 into %561[%j_10] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %660 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %661 = cloop.compute "add"(%660, %659) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %661 : vector<16xf32>, vector<16xf32>
            %662 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %663 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %664 = cloop.compute "add"(%662, %663) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %665 = cloop.constant 0.000000e+00 : f32
            %666 = cloop.broadcast %665 : f32 -> vector<16xf32>
            %667 = cloop.compute "max"(%664, %666) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %668 = cloop.broadcast %636 : f32 -> vector<16xf32>
            %669 = cloop.compute "sub"(%667, %668) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %670 = cloop.compute "exp"(%669) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %670 into %561[%j_10] <(d0) -> (d0 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %671 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
            %672 = cloop.compute "add"(%671, %670) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial1x0_1, %672 : vector<16xf32>, vector<16xf32>
            %673 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %674 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %675 = cloop.compute "add"(%673, %674) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %676 = cloop.constant 0.000000e+00 : f32
            %677 = cloop.broadcast %676 : f32 -> vector<16xf32>
            %678 = cloop.compute "max"(%675, %677) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %679 = cloop.broadcast %636 : f32 -> vector<16xf32>
            %680 = cloop.compute "sub"(%678, %679) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %681 = cloop.compute "exp"(%680) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %681 into %561[%j_10] <(d0) -> (d0 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %682 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
            %683 = cloop.compute "add"(%682, %681) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial2x0_1, %683 : vector<16xf32>, vector<16xf32>
            %684 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %685 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %686 = cloop.compute "add"(%684, %685) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %687 = cloop.constant 0.000000e+00 : f32
            %688 = cloop.broadcast %687 : f32 -> vector<16xf32>
            %689 = cloop.compute "max"(%686, %688) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %690 = cloop.broadcast %636 : f32 -> vector<16xf32>
            %691 = cloop.compute "sub"(%689, %690) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %692 = cloop.compute "exp"(%691) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %692 into %561[%j_10] <(d0) -> (d0 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %693 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
            %694 = cloop.compute "add"(%693, %692) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial3x0_1, %694 : vector<16xf32>, vector<16xf32>
          }
          %695 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
          %696 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %697 = cloop.compute "add"(%696, %695) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %697 : vector<16xf32>, vector<16xf32>
          %698 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
          %699 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %700 = cloop.compute "add"(%699, %698) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %700 : vector<16xf32>, vector<16xf32>
          %701 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
          %702 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %703 = cloop.compute "add"(%702, %701) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %703 : vector<16xf32>, vector<16xf32>
          %704 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %705 = cloop.shuffle %704 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
          %706 = cloop.shuffle %704 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
          %707 = cloop.cast %705 : vector<8xf32> -> vector<8xf64>
          %708 = cloop.cast %706 : vector<8xf32> -> vector<8xf64>
          %709 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
          %710 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
          %711 = cloop.compute "add"(%709, %707) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %712 = cloop.compute "add"(%710, %708) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          cloop.assign %partial0, %711 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial0_1, %712 : vector<8xf64>, vector<8xf64>
          %713 = cloop.constant 0.000000e+00 : f32
          %714 = cloop.broadcast %713 : f32 -> vector<16xf32>
          cloop.assign %partial0x0_1, %714 : vector<16xf32>, vector<16xf32>
          %715 = cloop.constant 0.000000e+00 : f32
          %716 = cloop.broadcast %715 : f32 -> vector<16xf32>
          cloop.assign %partial1x0_1, %716 : vector<16xf32>, vector<16xf32>
          %717 = cloop.constant 0.000000e+00 : f32
          %718 = cloop.broadcast %717 : f32 -> vector<16xf32>
          cloop.assign %partial2x0_1, %718 : vector<16xf32>, vector<16xf32>
          %719 = cloop.constant 0.000000e+00 : f32
          %720 = cloop.broadcast %719 : f32 -> vector<16xf32>
          cloop.assign %partial3x0_1, %720 : vector<16xf32>, vector<16xf32>
        }
        cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
        ^bb0(%j_11: index):
          %721 = cloop.constant 0.000000e+00 : f32
          %722 = cloop.broadcast %721 : f32 -> vector<16xf32>
          %723 = cloop.partial_load %18[%i_1, %j_11] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %722 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
          %724 = cloop.constant 0.000000e+00 : f32
          %725 = cloop.broadcast %724 : f32 -> vector<16xf32>
          %726 = cloop.partial_load %b[%j_11] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %725 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
          %727 = cloop.compute "add"(%723, %726) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %728 = cloop.constant 0.000000e+00 : f32
          %729 = cloop.broadcast %728 : f32 -> vector<16xf32>
          %730 = cloop.compute "max"(%727, %729) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %731 = cloop.broadcast %636 : f32 -> vector<16xf32>
          %732 = cloop.compute "sub"(%730, %731) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %733 = cloop.compute "exp"(%732) : (vector<16xf32>) -> vector<16xf32>
          cloop.partial_store %733 into %561[%j_11] <(d0) -> (d0, 0, min(-d0 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
          %734 = cloop.index[] <() -> (0)> : () -> i64
          %735 = cloop.index[%j_11] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
          %736 = cloop.lanes 0 : vector<16xi32>
          %737 = cloop.cast %734 : i64 -> i32
          %738 = cloop.cast %735 : i64 -> i32
          %739 = cloop.broadcast %737 : i32 -> vector<16xi32>
          %740 = cloop.compute "ge"(%736, %739) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %741 = cloop.broadcast %738 : i32 -> vector<16xi32>
          %742 = cloop.compute "lt"(%736, %741) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %743 = cloop.compute "and"(%740, %742) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
          %744 = cloop.compute "select"(%743, %733, %729) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %745 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %746 = cloop.compute "add"(%745, %744) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %746 : vector<16xf32>, vector<16xf32>
        }
        %747 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
        %748 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %749 = cloop.compute "add"(%748, %747) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0_1, %749 : vector<16xf32>, vector<16xf32>
        %750 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
        %751 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %752 = cloop.compute "add"(%751, %750) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0_1, %752 : vector<16xf32>, vector<16xf32>
        %753 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
        %754 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %755 = cloop.compute "add"(%754, %753) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0_1, %755 : vector<16xf32>, vector<16xf32>
        %756 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %757 = cloop.shuffle %756 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
        %758 = cloop.shuffle %756 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
        %759 = cloop.cast %757 : vector<8xf32> -> vector<8xf64>
        %760 = cloop.cast %758 : vector<8xf32> -> vector<8xf64>
        %761 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
        %762 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
        %763 = cloop.compute "add"(%761, %759) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
        %764 = cloop.compute "add"(%762, %760) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
        cloop.assign %partial0, %763 : vector<8xf64>, vector<8xf64>
        cloop.assign %partial0_1, %764 : vector<8xf64>, vector<8xf64>
        %765 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
        %766 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
        %767 = cloop.compute "add"(%765, %766) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
        %768 = cloop.fold "add" %767 : vector<8xf64> -> f64
        %769 = cloop.compute "add"(%637, %768) : (f64, f64) -> f64
        %770 = cloop.cast %769 : f64 -> f32
        cloop.for[%0 : i64] <(d0) -> (0, d0 * 16)> step 16 {
        ^bb0(%j_12: index):
          %771 = cloop.load %561[%j_12 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %772 = cloop.broadcast %770 : f32 -> vector<16xf32>
          %773 = cloop.compute "div"(%771, %772) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.store %773 into %out[%i_1, %j_12] <(d0, d1) -> (d0 * m + d1)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
        }
        cloop.for[%0 : i64] <(d0) -> (d0 * 16, m)> step 16 {
        ^bb0(%j_13: index):
          %774 = cloop.constant 0.000000e+00 : f32
          %775 = cloop.broadcast %774 : f32 -> vector<16xf32>
          %776 = cloop.partial_load %561[%j_13] <(d0) -> (d0, 0, -d0 + m)> else %775 : (!cloop.ptr<f32, "restrict">, index, vector<16xf32>) -> vector<16xf32>
          %777 = cloop.broadcast %770 : f32 -> vector<16xf32>
          %778 = cloop.compute "div"(%776, %777) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.partial_store %778 into %out[%i_1, %j_13] <(d0, d1) -> (d0 * m + d1, 0, -d1 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
        }
      }
    }
    func.return
  }
}
