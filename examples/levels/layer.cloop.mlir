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
                %332 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1)> : !cloop.ptr<f32, "const"> -> f32
                %333 = cloop.constant 0.000000e+00 : f32
                %334 = cloop.broadcast %333 : f32 -> vector<8xf32>
                %335 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(-d2 + d3, 8))> else %334 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %336 = cloop.broadcast %332 : f32 -> vector<8xf32>
                %337 = cloop.compute "mul"(%336, %335) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %338 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 1)> : !cloop.ptr<f32, "const"> -> f32
                %339 = cloop.constant 0.000000e+00 : f32
                %340 = cloop.broadcast %339 : f32 -> vector<8xf32>
                %341 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m, 0, min(-d2 + d3, 8))> else %340 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %342 = cloop.broadcast %338 : f32 -> vector<8xf32>
                %343 = cloop.compute "mul"(%342, %341) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %344 = cloop.compute "add"(%337, %343) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %345 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 2)> : !cloop.ptr<f32, "const"> -> f32
                %346 = cloop.constant 0.000000e+00 : f32
                %347 = cloop.broadcast %346 : f32 -> vector<8xf32>
                %348 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 2, 0, min(-d2 + d3, 8))> else %347 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %349 = cloop.broadcast %345 : f32 -> vector<8xf32>
                %350 = cloop.compute "mul"(%349, %348) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %351 = cloop.compute "add"(%344, %350) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %352 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 3)> : !cloop.ptr<f32, "const"> -> f32
                %353 = cloop.constant 0.000000e+00 : f32
                %354 = cloop.broadcast %353 : f32 -> vector<8xf32>
                %355 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 3, 0, min(-d2 + d3, 8))> else %354 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %356 = cloop.broadcast %352 : f32 -> vector<8xf32>
                %357 = cloop.compute "mul"(%356, %355) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %358 = cloop.compute "add"(%351, %357) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %359 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 4)> : !cloop.ptr<f32, "const"> -> f32
                %360 = cloop.constant 0.000000e+00 : f32
                %361 = cloop.broadcast %360 : f32 -> vector<8xf32>
                %362 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 4, 0, min(-d2 + d3, 8))> else %361 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %363 = cloop.broadcast %359 : f32 -> vector<8xf32>
                %364 = cloop.compute "mul"(%363, %362) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %365 = cloop.compute "add"(%358, %364) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %366 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 5)> : !cloop.ptr<f32, "const"> -> f32
                %367 = cloop.constant 0.000000e+00 : f32
                %368 = cloop.broadcast %367 : f32 -> vector<8xf32>
                %369 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 5, 0, min(-d2 + d3, 8))> else %368 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %370 = cloop.broadcast %366 : f32 -> vector<8xf32>
                %371 = cloop.compute "mul"(%370, %369) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %372 = cloop.compute "add"(%365, %371) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %373 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 6)> : !cloop.ptr<f32, "const"> -> f32
                %374 = cloop.constant 0.000000e+00 : f32
                %375 = cloop.broadcast %374 : f32 -> vector<8xf32>
                %376 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 6, 0, min(-d2 + d3, 8))> else %375 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %377 = cloop.broadcast %373 : f32 -> vector<8xf32>
                %378 = cloop.compute "mul"(%377, %376) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %379 = cloop.compute "add"(%372, %378) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %380 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 7)> : !cloop.ptr<f32, "const"> -> f32
                %381 = cloop.constant 0.000000e+00 : f32
                %382 = cloop.broadcast %381 : f32 -> vector<8xf32>
                %383 = cloop.partial_load %w[%block, %k_7, %j_3, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 7, 0, min(-d2 + d3, 8))> else %382 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %384 = cloop.broadcast %380 : f32 -> vector<8xf32>
                %385 = cloop.compute "mul"(%384, %383) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %386 = cloop.compute "add"(%379, %385) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %387 = cloop.cast %386 : vector<8xf32> -> vector<8xf64>
                %388 = cloop.constant 0.000000e+00 : f64
                %389 = cloop.broadcast %388 : f64 -> vector<8xf64>
                %390 = cloop.partial_load %row_2[%j_3, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %389 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                %391 = cloop.compute "add"(%390, %387) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.partial_store %391 into %row_2[%j_3, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
              }
            }
            cloop.for[%5 : i64] <(d0) -> (d0 * 8, k)> step 1 {
            ^bb0(%k_8: index):
              cloop.for[%283 : i64] <(d0) -> (0, d0 * 8)> step 8 {
              ^bb0(%j_4: index):
                %392 = cloop.load %x[%i, %k_8 : index, index] <(d0, d1) -> (d0 * k + d1)> : !cloop.ptr<f32, "const"> -> f32
                %393 = cloop.load %w[%block, %k_8, %j_4 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %394 = cloop.broadcast %392 : f32 -> vector<8xf32>
                %395 = cloop.compute "mul"(%394, %393) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %396 = cloop.cast %395 : vector<8xf32> -> vector<8xf64>
                %397 = cloop.load %row_2[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                %398 = cloop.compute "add"(%397, %396) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.store %398 into %row_2[%j_4] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
              }
              cloop.for[%283, %284 : i64, i64] <(d0, d1) -> (d0 * 8, d1)> step 8 {
              ^bb0(%j_5: index):
                %399 = cloop.load %x[%i, %k_8 : index, index] <(d0, d1) -> (d0 * k + d1)> : !cloop.ptr<f32, "const"> -> f32
                %400 = cloop.constant 0.000000e+00 : f32
                %401 = cloop.broadcast %400 : f32 -> vector<8xf32>
                %402 = cloop.partial_load %w[%block, %k_8, %j_5, %284] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(-d2 + d3, 8))> else %401 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %403 = cloop.broadcast %399 : f32 -> vector<8xf32>
                %404 = cloop.compute "mul"(%403, %402) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %405 = cloop.cast %404 : vector<8xf32> -> vector<8xf64>
                %406 = cloop.constant 0.000000e+00 : f64
                %407 = cloop.broadcast %406 : f64 -> vector<8xf64>
                %408 = cloop.partial_load %row_2[%j_5, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %407 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                %409 = cloop.compute "add"(%408, %405) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.partial_store %409 into %row_2[%j_5, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
              }
            }
            cloop.for[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) div 8) * 8)> step 8 {
            ^bb0(%j_6: index):
              %410 = cloop.load %row_2[%j_6 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
              %411 = cloop.cast %410 : vector<8xf64> -> vector<8xf32>
              cloop.store %411 into %18[%i, %block, %j_6] <(d0, d1, d2) -> (d0 * m + d1 + d2)> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%block : index] <(d0) -> ((min(-d0 + m, 2048) div 8) * 8, min(-d0 + m, 2048))> step 8 {
            ^bb0(%j_7: index):
              %412 = cloop.constant 0.000000e+00 : f64
              %413 = cloop.broadcast %412 : f64 -> vector<8xf64>
              %414 = cloop.partial_load %row_2[%j_7, %284] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %413 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
              %415 = cloop.cast %414 : vector<8xf64> -> vector<8xf32>
              cloop.partial_store %415 into %18[%i, %block, %j_7, %284] <(d0, d1, d2, d3) -> (d0 * m + d1 + d2, 0, min(-d2 + d3, 8))> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    cloop.block {
      cloop.for[%4, %3, %2 : i64, i64, i64] <(d0, d1, d2) -> (0, n)> step 1 threads <(d0, d1, d2) -> (d0 * n * 48 + d1 * d2 * n * 64 + d1 * n * 128 - d2 * n * 64 + n * 320 - 32768)> {
      ^bb0(%i_1: index):
        %416 = cloop.thread : i64
        %417 = cloop.offset %16[%416, %4] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %418 = cloop.constant 0xff800000 : f32
        %419 = cloop.constant 0.000000e+00 : f32
        %420 = cloop.broadcast %419 : f32 -> vector<16xf32>
        %partial0x0 = cloop.variable %420 : vector<16xf32> -> vector<16xf32>
        %partial1x0 = cloop.variable %420 : vector<16xf32> -> vector<16xf32>
        %partial2x0 = cloop.variable %420 : vector<16xf32> -> vector<16xf32>
        %partial3x0 = cloop.variable %420 : vector<16xf32> -> vector<16xf32>
        %421 = cloop.broadcast %418 : f32 -> vector<16xf32>
        cloop.assign %partial0x0, %421 : vector<16xf32>, vector<16xf32>
        %422 = cloop.broadcast %418 : f32 -> vector<16xf32>
        cloop.assign %partial1x0, %422 : vector<16xf32>, vector<16xf32>
        %423 = cloop.broadcast %418 : f32 -> vector<16xf32>
        cloop.assign %partial2x0, %423 : vector<16xf32>, vector<16xf32>
        %424 = cloop.broadcast %418 : f32 -> vector<16xf32>
        cloop.assign %partial3x0, %424 : vector<16xf32>, vector<16xf32>
        cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 64 {
        ^bb0(%j_8: index):
          %425 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %426 = cloop.load %b[%j_8 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %427 = cloop.compute "add"(%425, %426) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %428 = cloop.constant 0.000000e+00 : f32
          %429 = cloop.broadcast %428 : f32 -> vector<16xf32>
          %430 = cloop.compute "max"(%427, %429) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %431 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %432 = cloop.compute "max"(%431, %430) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %432 : vector<16xf32>, vector<16xf32>
          %433 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %434 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %435 = cloop.compute "add"(%433, %434) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %436 = cloop.constant 0.000000e+00 : f32
          %437 = cloop.broadcast %436 : f32 -> vector<16xf32>
          %438 = cloop.compute "max"(%435, %437) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %439 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
          %440 = cloop.compute "max"(%439, %438) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial1x0, %440 : vector<16xf32>, vector<16xf32>
          %441 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %442 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %443 = cloop.compute "add"(%441, %442) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %444 = cloop.constant 0.000000e+00 : f32
          %445 = cloop.broadcast %444 : f32 -> vector<16xf32>
          %446 = cloop.compute "max"(%443, %445) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %447 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
          %448 = cloop.compute "max"(%447, %446) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial2x0, %448 : vector<16xf32>, vector<16xf32>
          %449 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %450 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %451 = cloop.compute "add"(%449, %450) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %452 = cloop.constant 0.000000e+00 : f32
          %453 = cloop.broadcast %452 : f32 -> vector<16xf32>
          %454 = cloop.compute "max"(%451, %453) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %455 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
          %456 = cloop.compute "max"(%455, %454) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial3x0, %456 : vector<16xf32>, vector<16xf32>
        }
        cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
        ^bb0(%j_9: index):
          %457 = cloop.constant 0.000000e+00 : f32
          %458 = cloop.broadcast %457 : f32 -> vector<16xf32>
          %459 = cloop.partial_load %18[%i_1, %j_9] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %458 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
          %460 = cloop.constant 0.000000e+00 : f32
          %461 = cloop.broadcast %460 : f32 -> vector<16xf32>
          %462 = cloop.partial_load %b[%j_9] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %461 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
          %463 = cloop.compute "add"(%459, %462) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %464 = cloop.constant 0.000000e+00 : f32
          %465 = cloop.broadcast %464 : f32 -> vector<16xf32>
          %466 = cloop.compute "max"(%463, %465) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %467 = cloop.index[] <() -> (0)> : () -> i64
          %468 = cloop.index[%j_9] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
          %469 = cloop.lanes 0 : vector<16xi32>
          %470 = cloop.cast %467 : i64 -> i32
          %471 = cloop.cast %468 : i64 -> i32
          %472 = cloop.broadcast %470 : i32 -> vector<16xi32>
          %473 = cloop.compute "ge"(%469, %472) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %474 = cloop.broadcast %471 : i32 -> vector<16xi32>
          %475 = cloop.compute "lt"(%469, %474) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %476 = cloop.compute "and"(%473, %475) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
          %477 = cloop.broadcast %418 : f32 -> vector<16xf32>
          %478 = cloop.compute "select"(%476, %466, %477) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %479 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %480 = cloop.compute "max"(%479, %478) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %480 : vector<16xf32>, vector<16xf32>
        }
        %481 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
        %482 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %483 = cloop.compute "max"(%482, %481) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0, %483 : vector<16xf32>, vector<16xf32>
        %484 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
        %485 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %486 = cloop.compute "max"(%485, %484) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0, %486 : vector<16xf32>, vector<16xf32>
        %487 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
        %488 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %489 = cloop.compute "max"(%488, %487) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0, %489 : vector<16xf32>, vector<16xf32>
        %490 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %491 = cloop.fold "max" %490 : vector<16xf32> -> f32
        %492 = cloop.compute "max"(%418, %491) : (f32, f32) -> f32
        %493 = cloop.constant 0.000000e+00 : f64
        %494 = cloop.constant 0.000000e+00 : f32
        %495 = cloop.broadcast %494 : f32 -> vector<16xf32>
        %partial0x0_1 = cloop.variable %495 : vector<16xf32> -> vector<16xf32>
        %partial1x0_1 = cloop.variable %495 : vector<16xf32> -> vector<16xf32>
        %partial2x0_1 = cloop.variable %495 : vector<16xf32> -> vector<16xf32>
        %partial3x0_1 = cloop.variable %495 : vector<16xf32> -> vector<16xf32>
        %496 = cloop.constant 0.000000e+00 : f64
        %497 = cloop.broadcast %496 : f64 -> vector<8xf64>
        %partial0 = cloop.variable %497 : vector<8xf64> -> vector<8xf64>
        %partial0_1 = cloop.variable %497 : vector<8xf64> -> vector<8xf64>
        %498 = cloop.constant 0.000000e+00 : f32
        %499 = cloop.broadcast %498 : f32 -> vector<16xf32>
        cloop.assign %partial0x0_1, %499 : vector<16xf32>, vector<16xf32>
        %500 = cloop.constant 0.000000e+00 : f32
        %501 = cloop.broadcast %500 : f32 -> vector<16xf32>
        cloop.assign %partial1x0_1, %501 : vector<16xf32>, vector<16xf32>
        %502 = cloop.constant 0.000000e+00 : f32
        %503 = cloop.broadcast %502 : f32 -> vector<16xf32>
        cloop.assign %partial2x0_1, %503 : vector<16xf32>, vector<16xf32>
        %504 = cloop.constant 0.000000e+00 : f32
        %505 = cloop.broadcast %504 : f32 -> vector<16xf32>
        cloop.assign %partial3x0_1, %505 : vector<16xf32>, vector<16xf32>
        %506 = cloop.broadcast %493 : f64 -> vector<8xf64>
        cloop.assign %partial0, %506 : vector<8xf64>, vector<8xf64>
        cloop.assign %partial0_1, %506 : vector<8xf64>, vector<8xf64>
        cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 1024 {
        ^bb0(%chunk: index):
          cloop.for[%chunk, %1 : index, i64] <(d0, d1) -> (d0, min(d0 + 1024, d1 * 64))> step 64 {
          ^bb0(%j_10: index):
            %507 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %508 = cloop.load %b[%j_10 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %509 = cloop.compute "add"(%507, %508) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %510 = cloop.constant 0.000000e+00 : f32
            %511 = cloop.broadcast %510 : f32 -> vector<16xf32>
            %512 = cloop.compute "max"(%509, %511) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %513 = cloop.broadcast %492 : f32 -> vector<16xf32>
            %514 = cloop.compute "sub"(%512, %513) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %515 = cloop.compute "exp"(%514) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %515 into %417[%j_10] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %516 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %517 = cloop.compute "add"(%516, %515) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %517 : vector<16xf32>, vector<16xf32>
            %518 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %519 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %520 = cloop.compute "add"(%518, %519) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %521 = cloop.constant 0.000000e+00 : f32
            %522 = cloop.broadcast %521 : f32 -> vector<16xf32>
            %523 = cloop.compute "max"(%520, %522) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %524 = cloop.broadcast %492 : f32 -> vector<16xf32>
            %525 = cloop.compute "sub"(%523, %524) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %526 = cloop.compute "exp"(%525) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %526 into %417[%j_10] <(d0) -> (d0 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %527 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
            %528 = cloop.compute "add"(%527, %526) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial1x0_1, %528 : vector<16xf32>, vector<16xf32>
            %529 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %530 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %531 = cloop.compute "add"(%529, %530) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %532 = cloop.constant 0.000000e+00 : f32
            %533 = cloop.broadcast %532 : f32 -> vector<16xf32>
            %534 = cloop.compute "max"(%531, %533) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %535 = cloop.broadcast %492 : f32 -> vector<16xf32>
            %536 = cloop.compute "sub"(%534, %535) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %537 = cloop.compute "exp"(%536) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %537 into %417[%j_10] <(d0) -> (d0 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %538 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
            %539 = cloop.compute "add"(%538, %537) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial2x0_1, %539 : vector<16xf32>, vector<16xf32>
            %540 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %541 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %542 = cloop.compute "add"(%540, %541) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %543 = cloop.constant 0.000000e+00 : f32
            %544 = cloop.broadcast %543 : f32 -> vector<16xf32>
            %545 = cloop.compute "max"(%542, %544) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %546 = cloop.broadcast %492 : f32 -> vector<16xf32>
            %547 = cloop.compute "sub"(%545, %546) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %548 = cloop.compute "exp"(%547) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %548 into %417[%j_10] <(d0) -> (d0 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %549 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
            %550 = cloop.compute "add"(%549, %548) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial3x0_1, %550 : vector<16xf32>, vector<16xf32>
          }
          %551 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
          %552 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %553 = cloop.compute "add"(%552, %551) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %553 : vector<16xf32>, vector<16xf32>
          %554 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
          %555 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %556 = cloop.compute "add"(%555, %554) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %556 : vector<16xf32>, vector<16xf32>
          %557 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
          %558 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %559 = cloop.compute "add"(%558, %557) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %559 : vector<16xf32>, vector<16xf32>
          %560 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %561 = cloop.shuffle %560 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
          %562 = cloop.shuffle %560 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
          %563 = cloop.cast %561 : vector<8xf32> -> vector<8xf64>
          %564 = cloop.cast %562 : vector<8xf32> -> vector<8xf64>
          %565 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
          %566 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
          %567 = cloop.compute "add"(%565, %563) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %568 = cloop.compute "add"(%566, %564) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          cloop.assign %partial0, %567 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial0_1, %568 : vector<8xf64>, vector<8xf64>
          %569 = cloop.constant 0.000000e+00 : f32
          %570 = cloop.broadcast %569 : f32 -> vector<16xf32>
          cloop.assign %partial0x0_1, %570 : vector<16xf32>, vector<16xf32>
          %571 = cloop.constant 0.000000e+00 : f32
          %572 = cloop.broadcast %571 : f32 -> vector<16xf32>
          cloop.assign %partial1x0_1, %572 : vector<16xf32>, vector<16xf32>
          %573 = cloop.constant 0.000000e+00 : f32
          %574 = cloop.broadcast %573 : f32 -> vector<16xf32>
          cloop.assign %partial2x0_1, %574 : vector<16xf32>, vector<16xf32>
          %575 = cloop.constant 0.000000e+00 : f32
          %576 = cloop.broadcast %575 : f32 -> vector<16xf32>
          cloop.assign %partial3x0_1, %576 : vector<16xf32>, vector<16xf32>
        }
        cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
        ^bb0(%j_11: index):
          %577 = cloop.constant 0.000000e+00 : f32
          %578 = cloop.broadcast %577 : f32 -> vector<16xf32>
          %579 = cloop.partial_load %18[%i_1, %j_11] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %578 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
          %580 = cloop.constant 0.000000e+00 : f32
          %581 = cloop.broadcast %580 : f32 -> vector<16xf32>
          %582 = cloop.partial_load %b[%j_11] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %581 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
          %583 = cloop.compute "add"(%579, %582) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %584 = cloop.constant 0.000000e+00 : f32
          %585 = cloop.broadcast %584 : f32 -> vector<16xf32>
          %586 = cloop.compute "max"(%583, %585) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %587 = cloop.broadcast %492 : f32 -> vector<16xf32>
          %588 = cloop.compute "sub"(%586, %587) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %589 = cloop.compute "exp"(%588) : (vector<16xf32>) -> vector<16xf32>
          cloop.partial_store %589 into %417[%j_11] <(d0) -> (d0, 0, min(-d0 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
          %590 = cloop.index[] <() -> (0)> : () -> i64
          %591 = cloop.index[%j_11] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
          %592 = cloop.lanes 0 : vector<16xi32>
          %593 = cloop.cast %590 : i64 -> i32
          %594 = cloop.cast %591 : i64 -> i32
          %595 = cloop.broadcast %593 : i32 -> vector<16xi32>
          %596 = cloop.compute "ge"(%592, %595) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %597 = cloop.broadcast %594 : i32 -> vector<16xi32>
          %598 = cloop.compute "lt"(%592, %597) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %599 = cloop.compute "and"(%596, %598) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
          %600 = cloop.compute "select"(%599, %589, %585) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %601 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %602 = cloop.compute "add"(%601, %600) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %602 : vector<16xf32>, vector<16xf32>
        }
        %603 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
        %604 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %605 = cloop.compute "add"(%604, %603) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0_1, %605 : vector<16xf32>, vector<16xf32>
        %606 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
        %607 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %608 = cloop.compute "add"(%607, %606) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0_1, %608 : vector<16xf32>, vector<16xf32>
        %609 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
        %610 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %611 = cloop.compute "add"(%610, %609) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0_1, %611 : vector<16xf32>, vector<16xf32>
        %612 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %613 = cloop.shuffle %612 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
        %614 = cloop.shuffle %612 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
        %615 = cloop.cast %613 : vector<8xf32> -> vector<8xf64>
        %616 = cloop.cast %614 : vector<8xf32> -> vector<8xf64>
        %617 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
        %618 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
        %619 = cloop.compute "add"(%617, %615) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
        %620 = cloop.compute "add"(%618, %616) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
        cloop.assign %partial0, %619 : vector<8xf64>, vector<8xf64>
        cloop.assign %partial0_1, %620 : vector<8xf64>, vector<8xf64>
        %621 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
        %622 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
        %623 = cloop.compute "add"(%621, %622) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
        %624 = cloop.fold "add" %623 : vector<8xf64> -> f64
        %625 = cloop.compute "add"(%493, %624) : (f64, f64) -> f64
        %626 = cloop.cast %625 : f64 -> f32
        cloop.for[%0 : i64] <(d0) -> (0, d0 * 16)> step 16 {
        ^bb0(%j_12: index):
          %627 = cloop.load %417[%j_12 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %628 = cloop.broadcast %626 : f32 -> vector<16xf32>
          %629 = cloop.compute "div"(%627, %628) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.store %629 into %out[%i_1, %j_12] <(d0, d1) -> (d0 * m + d1)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
        }
        cloop.for[%0 : i64] <(d0) -> (d0 * 16, m)> step 16 {
        ^bb0(%j_13: index):
          %630 = cloop.constant 0.000000e+00 : f32
          %631 = cloop.broadcast %630 : f32 -> vector<16xf32>
          %632 = cloop.partial_load %417[%j_13] <(d0) -> (d0, 0, -d0 + m)> else %631 : (!cloop.ptr<f32, "restrict">, index, vector<16xf32>) -> vector<16xf32>
          %633 = cloop.broadcast %626 : f32 -> vector<16xf32>
          %634 = cloop.compute "div"(%632, %633) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.partial_store %634 into %out[%i_1, %j_13] <(d0, d1) -> (d0 * m + d1, 0, -d1 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
        }
      }
    }
    func.return
  }
}
