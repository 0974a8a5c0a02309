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
              %26 = cloop.test[%columns, %panel] <(d0, d1) -> (-d0 * 32 - d1 * 32 + m - 32)> : (index, index) -> i1
              cloop.if %26 {
                cloop.for[%25 : i64] <(d0) -> (0, d0)> step 1 {
                ^bb0(%k: index):
                  cloop.for <() -> (0, 32)> step 16 {
                  ^bb0(%column: index):
                    %27 = cloop.load %w[%columns, %depth, %panel, %k, %column : index, index, index, index, index] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m + d2 * 32 + d3 * m + d4)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                    cloop.store %27 into %right[%panel, %k, %column] <(d0, d1, d2) -> (d0 * 8192 + d1 * 32 + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
                  }
                }
              } else {
                cloop.for[%25 : i64] <(d0) -> (0, d0)> step 1 {
                ^bb0(%k_1: index):
                  cloop.for <() -> (0, 32)> step 16 {
                  ^bb0(%column_1: index):
                    %28 = cloop.constant 0.000000e+00 : f32
                    %29 = cloop.broadcast %28 : f32 -> vector<16xf32>
                    %30 = cloop.partial_load %w[%columns, %depth, %panel, %k_1, %column_1] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m + d2 * 32 + d3 * m + d4, 0, min(16, min(-d0 * 32 - d2 * 32 - d4 + m, 16)))> else %29 : (!cloop.ptr<f32, "const">, index, index, index, index, index, vector<16xf32>) -> vector<16xf32>
                    cloop.store %30 into %right[%panel, %k_1, %column_1] <(d0, d1, d2) -> (d0 * 8192 + d1 * 32 + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
                  }
                }
              }
            }
            cloop.for[%12 : i64] <(d0) -> (0, d0)> step 256 {
            ^bb0(%rows: index):
              %31 = cloop.index[%rows, %12] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
              cloop.for[%rows, %12, %11 : index, i64, i64] <(d0, d1, d2) -> (0, min(-d0 + d1, 256))> step 1 threads <(d0, d1, d2) -> (min(-d0 + d2, 256) * 4352 - 32768)> {
              ^bb0(%panel_1: index):
                %32 = cloop.test[%rows, %panel_1] <(d0, d1) -> (-d0 * 8 - d1 * 8 + n - 8)> : (index, index) -> i1
                cloop.if %32 {
                  cloop.for <() -> (0, 8)> step 1 {
                  ^bb0(%row: index):
                    cloop.for[%24 : i64] <(d0) -> (0, d0 * 16)> step 16 {
                    ^bb0(%k_2: index):
                      %33 = cloop.load %x[%depth, %rows, %panel_1, %row, %k_2 : index, index, index, index, index] <(d0, d1, d2, d3, d4) -> (d0 + d1 * k * 8 + d2 * k * 8 + d3 * k + d4)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                      cloop.store %33 into %left[%panel_1, %row, %k_2] <(d0, d1, d2) -> (d0 * 2048 + d1 * 256 + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
                    }
                    cloop.for[%24, %25 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 16 {
                    ^bb0(%k_3: index):
                      %34 = cloop.constant 0.000000e+00 : f32
                      %35 = cloop.broadcast %34 : f32 -> vector<16xf32>
                      %36 = cloop.partial_load %x[%depth, %rows, %panel_1, %row, %k_3, %25] <(d0, d1, d2, d3, d4, d5) -> (d0 + d1 * k * 8 + d2 * k * 8 + d3 * k + d4, 0, min(16, min(-d4 + d5, 16)))> else %35 : (!cloop.ptr<f32, "const">, index, index, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                      cloop.partial_store %36 into %left[%panel_1, %row, %k_3, %25] <(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 256 + d2, 0, min(16, min(-d2 + d3, 16)))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                    }
                  }
                } else {
                  cloop.for <() -> (0, 8)> step 1 {
                  ^bb0(%row_1: index):
                    cloop.for[%24 : i64] <(d0) -> (0, d0 * 16)> step 16 {
                    ^bb0(%k_4: index):
                      %37 = cloop.constant 0.000000e+00 : f32
                      %38 = cloop.broadcast %37 : f32 -> vector<16xf32>
                      %39 = cloop.test[%rows, %panel_1, %row_1] <(d0, d1, d2) -> (-d0 * 8 - d1 * 8 - d2 + n - 1)> : (index, index, index) -> i1
                      %40 = cloop.load %x[%depth, %rows, %panel_1, %row_1, %k_4 : index, index, index, index, index] <(d0, d1, d2, d3, d4) -> (d0 + d1 * k * 8 + d2 * k * 8 + d3 * k + d4)> if %39 : i1 else %38 : vector<16xf32> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                      cloop.store %40 into %left[%panel_1, %row_1, %k_4] <(d0, d1, d2) -> (d0 * 2048 + d1 * 256 + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
                    }
                    cloop.for[%24, %25 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 16 {
                    ^bb0(%k_5: index):
                      %41 = cloop.constant 0.000000e+00 : f32
                      %42 = cloop.broadcast %41 : f32 -> vector<16xf32>
                      %43 = cloop.partial_load %x[%depth, %rows, %panel_1, %row_1, %k_5, %25] <(d0, d1, d2, d3, d4, d5) -> (d0 + d1 * k * 8 + d2 * k * 8 + d3 * k + d4, 0, min(16, min(-d1 * 128 - d2 * 128 - d3 * 16 + n * 16, min(-d4 + d5, 16))))> else %42 : (!cloop.ptr<f32, "const">, index, index, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                      cloop.partial_store %43 into %left[%panel_1, %row_1, %k_5, %25] <(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 256 + d2, 0, min(16, min(-d2 + d3, 16)))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                    }
                  }
                }
              }
              cloop.for[%rows, %21, %12, %20, %11 : index, i64, i64, i64, i64] <(d0, d1, d2, d3, d4) -> (0, d1 * ((min(-d0 + d2, 256) + 15) div 16))> step 1 threads <(d0, d1, d2, d3, d4) -> (d3 * ((min(-d0 + d4, 256) + 15) floordiv 16) * 66816 - 32768)> {
              ^bb0(%group: index):
                %44 = cloop.index[%group, %21, %31] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                %45 = cloop.index[%group, %21] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                cloop.for[%group, %21, %23 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                ^bb0(%p: index):
                  %46 = cloop.index[%columns, %p] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m - 16, 16))> : (index, index) -> i64
                  %47 = cloop.index[%columns, %p] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m, 16))> : (index, index) -> i64
                  cloop.for[%45, %44 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                  ^bb0(%q: index):
                    %48 = cloop.index[%rows, %q, %46] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 112, d2))> : (index, index, i64) -> i64
                    %49 = cloop.index[%rows, %q, %47] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 112, d2))> : (index, index, i64) -> i64
                    %50 = cloop.index[%rows, %q, %46] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 96, d2))> : (index, index, i64) -> i64
                    %51 = cloop.index[%rows, %q, %47] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 96, d2))> : (index, index, i64) -> i64
                    %52 = cloop.index[%rows, %q, %46] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 80, d2))> : (index, index, i64) -> i64
                    %53 = cloop.index[%rows, %q, %47] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 80, d2))> : (index, index, i64) -> i64
                    %54 = cloop.index[%rows, %q, %46] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 64, d2))> : (index, index, i64) -> i64
                    %55 = cloop.index[%rows, %q, %47] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 64, d2))> : (index, index, i64) -> i64
                    %56 = cloop.index[%rows, %q, %46] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 48, d2))> : (index, index, i64) -> i64
                    %57 = cloop.index[%rows, %q, %47] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 48, d2))> : (index, index, i64) -> i64
                    %58 = cloop.index[%rows, %q, %46] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 32, d2))> : (index, index, i64) -> i64
                    %59 = cloop.index[%rows, %q, %47] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 32, d2))> : (index, index, i64) -> i64
                    %60 = cloop.index[%rows, %q, %46] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 16, d2))> : (index, index, i64) -> i64
                    %61 = cloop.index[%rows, %q, %47] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16 - 16, d2))> : (index, index, i64) -> i64
                    %62 = cloop.index[%rows, %q, %46] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16, d2))> : (index, index, i64) -> i64
                    %63 = cloop.index[%rows, %q, %47] <(d0, d1, d2) -> (min(-d0 * 128 - d1 * 128 + n * 16, d2))> : (index, index, i64) -> i64
                    %64 = cloop.constant 0.000000e+00 : f32
                    %65 = cloop.broadcast %64 : f32 -> vector<16xf32>
                    %tile0x0x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile0x1x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile1x0x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile1x1x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile2x0x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile2x1x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile3x0x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile3x1x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile4x0x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile4x1x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile5x0x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile5x1x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile6x0x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile6x1x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile7x0x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %tile7x1x0 = cloop.variable %65 : vector<16xf32> -> vector<16xf32>
                    %66 = cloop.test[%depth] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %66 {
                      %67 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile0x0x0, %67 : vector<16xf32>, vector<16xf32>
                      %68 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile0x1x0, %68 : vector<16xf32>, vector<16xf32>
                      %69 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile1x0x0, %69 : vector<16xf32>, vector<16xf32>
                      %70 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile1x1x0, %70 : vector<16xf32>, vector<16xf32>
                      %71 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile2x0x0, %71 : vector<16xf32>, vector<16xf32>
                      %72 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile2x1x0, %72 : vector<16xf32>, vector<16xf32>
                      %73 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile3x0x0, %73 : vector<16xf32>, vector<16xf32>
                      %74 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile3x1x0, %74 : vector<16xf32>, vector<16xf32>
                      %75 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile4x0x0, %75 : vector<16xf32>, vector<16xf32>
                      %76 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile4x1x0, %76 : vector<16xf32>, vector<16xf32>
                      %77 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile5x0x0, %77 : vector<16xf32>, vector<16xf32>
                      %78 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile5x1x0, %78 : vector<16xf32>, vector<16xf32>
                      %79 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile6x0x0, %79 : vector<16xf32>, vector<16xf32>
                      %80 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile6x1x0, %80 : vector<16xf32>, vector<16xf32>
                      %81 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile7x0x0, %81 : vector<16xf32>, vector<16xf32>
                      %82 = cloop.load %kept[%rows, %p, %q, %10 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.assign %tile7x1x0, %82 : vector<16xf32>, vector<16xf32>
                    } else {
                      %83 = cloop.constant 0.000000e+00 : f32
                      %84 = cloop.broadcast %83 : f32 -> vector<16xf32>
                      cloop.assign %tile0x0x0, %84 : vector<16xf32>, vector<16xf32>
                      %85 = cloop.constant 0.000000e+00 : f32
                      %86 = cloop.broadcast %85 : f32 -> vector<16xf32>
                      cloop.assign %tile0x1x0, %86 : vector<16xf32>, vector<16xf32>
                      %87 = cloop.constant 0.000000e+00 : f32
                      %88 = cloop.broadcast %87 : f32 -> vector<16xf32>
                      cloop.assign %tile1x0x0, %88 : vector<16xf32>, vector<16xf32>
                      %89 = cloop.constant 0.000000e+00 : f32
                      %90 = cloop.broadcast %89 : f32 -> vector<16xf32>
                      cloop.assign %tile1x1x0, %90 : vector<16xf32>, vector<16xf32>
                      %91 = cloop.constant 0.000000e+00 : f32
                      %92 = cloop.broadcast %91 : f32 -> vector<16xf32>
                      cloop.assign %tile2x0x0, %92 : vector<16xf32>, vector<16xf32>
                      %93 = cloop.constant 0.000000e+00 : f32
                      %94 = cloop.broadcast %93 : f32 -> vector<16xf32>
                      cloop.assign %tile2x1x0, %94 : vector<16xf32>, vector<16xf32>
                      %95 = cloop.constant 0.000000e+00 : f32
                      %96 = cloop.broadcast %95 : f32 -> vector<16xf32>
                      cloop.assign %tile3x0x0, %96 : vector<16xf32>, vector<16xf32>
                      %97 = cloop.constant 0.000000e+00 : f32
                      %98 = cloop.broadcast %97 : f32 -> vector<16xf32>
                      cloop.assign %tile3x1x0, %98 : vector<16xf32>, vector<16xf32>
                      %99 = cloop.constant 0.000000e+00 : f32
                      %100 = cloop.broadcast %99 : f32 -> vector<16xf32>
                      cloop.assign %tile4x0x0, %100 : vector<16xf32>, vector<16xf32>
                      %101 = cloop.constant 0.000000e+00 : f32
                      %102 = cloop.broadcast %101 : f32 -> vector<16xf32>
                      cloop.assign %tile4x1x0, %102 : vector<16xf32>, vector<16xf32>
                      %103 = cloop.constant 0.000000e+00 : f32
                      %104 = cloop.broadcast %103 : f32 -> vector<16xf32>
                      cloop.assign %tile5x0x0, %104 : vector<16xf32>, vector<16xf32>
                      %105 = cloop.constant 0.000000e+00 : f32
                      %106 = cloop.broadcast %105 : f32 -> vector<16xf32>
                      cloop.assign %tile5x1x0, %106 : vector<16xf32>, vector<16xf32>
                      %107 = cloop.constant 0.000000e+00 : f32
                      %108 = cloop.broadcast %107 : f32 -> vector<16xf32>
                      cloop.assign %tile6x0x0, %108 : vector<16xf32>, vector<16xf32>
                      %109 = cloop.constant 0.000000e+00 : f32
                      %110 = cloop.broadcast %109 : f32 -> vector<16xf32>
                      cloop.assign %tile6x1x0, %110 : vector<16xf32>, vector<16xf32>
                      %111 = cloop.constant 0.000000e+00 : f32
                      %112 = cloop.broadcast %111 : f32 -> vector<16xf32>
                      cloop.assign %tile7x0x0, %112 : vector<16xf32>, vector<16xf32>
                      %113 = cloop.constant 0.000000e+00 : f32
                      %114 = cloop.broadcast %113 : f32 -> vector<16xf32>
                      cloop.assign %tile7x1x0, %114 : vector<16xf32>, vector<16xf32>
                    }
                    cloop.for[%25 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_6: index):
                      %115 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1)> : !cloop.ptr<f32, "restrict"> -> f32
                      %116 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %117 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                      %118 = cloop.broadcast %115 : f32 -> vector<16xf32>
                      %119 = cloop.compute "fma"(%118, %116, %117) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x0x0, %119 : vector<16xf32>, vector<16xf32>
                      %120 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1)> : !cloop.ptr<f32, "restrict"> -> f32
                      %121 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %122 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                      %123 = cloop.broadcast %120 : f32 -> vector<16xf32>
                      %124 = cloop.compute "fma"(%123, %121, %122) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile0x1x0, %124 : vector<16xf32>, vector<16xf32>
                      %125 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 256)> : !cloop.ptr<f32, "restrict"> -> f32
                      %126 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %127 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                      %128 = cloop.broadcast %125 : f32 -> vector<16xf32>
                      %129 = cloop.compute "fma"(%128, %126, %127) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x0x0, %129 : vector<16xf32>, vector<16xf32>
                      %130 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 256)> : !cloop.ptr<f32, "restrict"> -> f32
                      %131 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %132 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                      %133 = cloop.broadcast %130 : f32 -> vector<16xf32>
                      %134 = cloop.compute "fma"(%133, %131, %132) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile1x1x0, %134 : vector<16xf32>, vector<16xf32>
                      %135 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 512)> : !cloop.ptr<f32, "restrict"> -> f32
                      %136 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %137 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                      %138 = cloop.broadcast %135 : f32 -> vector<16xf32>
                      %139 = cloop.compute "fma"(%138, %136, %137) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x0x0, %139 : vector<16xf32>, vector<16xf32>
                      %140 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 512)> : !cloop.ptr<f32, "restrict"> -> f32
                      %141 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %142 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                      %143 = cloop.broadcast %140 : f32 -> vector<16xf32>
                      %144 = cloop.compute "fma"(%143, %141, %142) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile2x1x0, %144 : vector<16xf32>, vector<16xf32>
                      %145 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 768)> : !cloop.ptr<f32, "restrict"> -> f32
                      %146 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %147 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                      %148 = cloop.broadcast %145 : f32 -> vector<16xf32>
                      %149 = cloop.compute "fma"(%148, %146, %147) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x0x0, %149 : vector<16xf32>, vector<16xf32>
                      %150 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 768)> : !cloop.ptr<f32, "restrict"> -> f32
                      %151 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %152 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                      %153 = cloop.broadcast %150 : f32 -> vector<16xf32>
                      %154 = cloop.compute "fma"(%153, %151, %152) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile3x1x0, %154 : vector<16xf32>, vector<16xf32>
                      %155 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1024)> : !cloop.ptr<f32, "restrict"> -> f32
                      %156 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %157 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                      %158 = cloop.broadcast %155 : f32 -> vector<16xf32>
                      %159 = cloop.compute "fma"(%158, %156, %157) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x0x0, %159 : vector<16xf32>, vector<16xf32>
                      %160 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1024)> : !cloop.ptr<f32, "restrict"> -> f32
                      %161 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %162 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                      %163 = cloop.broadcast %160 : f32 -> vector<16xf32>
                      %164 = cloop.compute "fma"(%163, %161, %162) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile4x1x0, %164 : vector<16xf32>, vector<16xf32>
                      %165 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1280)> : !cloop.ptr<f32, "restrict"> -> f32
                      %166 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %167 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                      %168 = cloop.broadcast %165 : f32 -> vector<16xf32>
                      %169 = cloop.compute "fma"(%168, %166, %167) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x0x0, %169 : vector<16xf32>, vector<16xf32>
                      %170 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1280)> : !cloop.ptr<f32, "restrict"> -> f32
                      %171 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %172 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                      %173 = cloop.broadcast %170 : f32 -> vector<16xf32>
                      %174 = cloop.compute "fma"(%173, %171, %172) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile5x1x0, %174 : vector<16xf32>, vector<16xf32>
                      %175 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1536)> : !cloop.ptr<f32, "restrict"> -> f32
                      %176 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %177 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                      %178 = cloop.broadcast %175 : f32 -> vector<16xf32>
                      %179 = cloop.compute "fma"(%178, %176, %177) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x0x0, %179 : vector<16xf32>, vector<16xf32>
                      %180 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1536)> : !cloop.ptr<f32, "restrict"> -> f32
                      %181 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %182 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                      %183 = cloop.broadcast %180 : f32 -> vector<16xf32>
                      %184 = cloop.compute "fma"(%183, %181, %182) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile6x1x0, %184 : vector<16xf32>, vector<16xf32>
                      %185 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1792)> : !cloop.ptr<f32, "restrict"> -> f32
                      %186 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %187 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                      %188 = cloop.broadcast %185 : f32 -> vector<16xf32>
                      %189 = cloop.compute "fma"(%188, %186, %187) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x0x0, %189 : vector<16xf32>, vector<16xf32>
                      %190 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1792)> : !cloop.ptr<f32, "restrict"> -> f32
                      %191 = cloop.load %right[%p, %k_6 : index, index] <(d0, d1) -> (d0 * 8192 + d1 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      %192 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                      %193 = cloop.broadcast %190 : f32 -> vector<16xf32>
                      %194 = cloop.compute "fma"(%193, %191, %192) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                      cloop.assign %tile7x1x0, %194 : vector<16xf32>, vector<16xf32>
                    }
                    %195 = cloop.test[%depth] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %195 {
                      %196 = cloop.test[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (-d1 * 8 - d3 * 8 + n - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index) -> i1
                      cloop.if %196 {
                        %197 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %197 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %198 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %198 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %199 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %199 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %200 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %200 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %201 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %201 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %202 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %202 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %203 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %203 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %204 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %204 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %205 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %205 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %206 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %206 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %207 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %207 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %208 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %208 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %209 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %209 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %210 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %210 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %211 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %211 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        %212 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %212 into %18[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                      } else {
                        %213 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %213 into %18[%columns, %rows, %p, %q, %63] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %214 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %214 into %18[%columns, %rows, %p, %q, %62] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %215 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %215 into %18[%columns, %rows, %p, %q, %61] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %216 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %216 into %18[%columns, %rows, %p, %q, %60] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %217 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %217 into %18[%columns, %rows, %p, %q, %59] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %218 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %218 into %18[%columns, %rows, %p, %q, %58] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %219 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %219 into %18[%columns, %rows, %p, %q, %57] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %220 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %220 into %18[%columns, %rows, %p, %q, %56] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %221 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %221 into %18[%columns, %rows, %p, %q, %55] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %222 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %222 into %18[%columns, %rows, %p, %q, %54] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %223 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %223 into %18[%columns, %rows, %p, %q, %53] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %224 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %224 into %18[%columns, %rows, %p, %q, %52] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %225 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %225 into %18[%columns, %rows, %p, %q, %51] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %226 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %226 into %18[%columns, %rows, %p, %q, %50] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %227 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %227 into %18[%columns, %rows, %p, %q, %49] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %228 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.partial_store %228 into %18[%columns, %rows, %p, %q, %48] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                      }
                    } else {
                      %229 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %229 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %230 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %230 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %231 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %231 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %232 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %232 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %233 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %233 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %234 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %234 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %235 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %235 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %236 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %236 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %237 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %237 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %238 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %238 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %239 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %239 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %240 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %240 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %241 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %241 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %242 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %242 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %243 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %243 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      %244 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                      cloop.store %244 into %kept[%rows, %p, %q, %10] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
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
            %245 = cloop.index[%block] <(d0) -> (min(-d0 + m, 2048) div 8)> : (index) -> i64
            %246 = cloop.index[%block] <(d0) -> (min(-d0 + m, 2048))> : (index) -> i64
            %247 = cloop.thread : i64
            %row_2 = cloop.offset %17[%247, %8] <(d0, d1) -> (d0 * d1 * 8)> : (!cloop.ptr<f64, "restrict">, i64, i64) -> !cloop.ptr<f64, "restrict">
            cloop.for[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) div 8) * 8)> step 8 {
            ^bb0(%j: index):
              %248 = cloop.constant 0.000000e+00 : f64
              %249 = cloop.broadcast %248 : f64 -> vector<8xf64>
              cloop.store %249 into %row_2[%j] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
            }
            cloop.for[%block : index] <(d0) -> ((min(-d0 + m, 2048) div 8) * 8, min(-d0 + m, 2048))> step 8 {
            ^bb0(%j_1: index):
              %250 = cloop.constant 0.000000e+00 : f64
              %251 = cloop.broadcast %250 : f64 -> vector<8xf64>
              cloop.partial_store %251 into %row_2[%j_1, %246] <(d0, d1) -> (d0, 0, min(8, min(-d0 + d1, 8)))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
            }
            cloop.for[%5 : i64] <(d0) -> (0, d0 * 8)> step 8 {
            ^bb0(%k_7: index):
              cloop.for[%245 : i64] <(d0) -> (0, d0 * 8)> step 8 {
              ^bb0(%j_2: index):
                %252 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1)> : !cloop.ptr<f32, "const"> -> f32
                %253 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %254 = cloop.broadcast %252 : f32 -> vector<8xf32>
                %255 = cloop.compute "mul"(%254, %253) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %256 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 1)> : !cloop.ptr<f32, "const"> -> f32
                %257 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %258 = cloop.broadcast %256 : f32 -> vector<8xf32>
                %259 = cloop.compute "mul"(%258, %257) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %260 = cloop.compute "add"(%255, %259) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %261 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 2)> : !cloop.ptr<f32, "const"> -> f32
                %262 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %263 = cloop.broadcast %261 : f32 -> vector<8xf32>
                %264 = cloop.compute "mul"(%263, %262) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %265 = cloop.compute "add"(%260, %264) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %266 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 3)> : !cloop.ptr<f32, "const"> -> f32
                %267 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 3)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %268 = cloop.broadcast %266 : f32 -> vector<8xf32>
                %269 = cloop.compute "mul"(%268, %267) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %270 = cloop.compute "add"(%265, %269) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %271 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 4)> : !cloop.ptr<f32, "const"> -> f32
                %272 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 4)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %273 = cloop.broadcast %271 : f32 -> vector<8xf32>
                %274 = cloop.compute "mul"(%273, %272) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %275 = cloop.compute "add"(%270, %274) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %276 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 5)> : !cloop.ptr<f32, "const"> -> f32
                %277 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 5)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %278 = cloop.broadcast %276 : f32 -> vector<8xf32>
                %279 = cloop.compute "mul"(%278, %277) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %280 = cloop.compute "add"(%275, %279) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %281 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 6)> : !cloop.ptr<f32, "const"> -> f32
                %282 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 6)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %283 = cloop.broadcast %281 : f32 -> vector<8xf32>
                %284 = cloop.compute "mul"(%283, %282) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %285 = cloop.compute "add"(%280, %284) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %286 = cloop.load %x[%i, %k_7 : index, index] <(d0, d1) -> (d0 * k + d1 + 7)> : !cloop.ptr<f32, "const"> -> f32
                %287 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 7)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %288 = cloop.broadcast %286 : f32 -> vector<8xf32>
                %289 = cloop.compute "mul"(%288, %287) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %290 = cloop.compute "add"(%285, %289) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %291 = cloop.cast %290 : vector<8xf32> -> vector<8xf64>
                %292 = cloop.load %row_2[%j_2 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                %293 = cloop.compute "add"(%292, %291) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.store %293 into %row_2[%j_2] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
              }
              cloop.for[%245, %246 : i64, i64] <(d0, d1) -> (d0 * 8, d1)> step 8 {
              ^bb0(%j_3: index):
                %294 = cloop.constant 0.000000e+00 : f32
                %295 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %296 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %295 : i1 else %294 : f32 : !cloop.ptr<f32, "const"> -> f32
                %297 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %298 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %297 : i1 else %294 : f32 : !cloop.ptr<f32, "const"> -> f32
                %299 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %300 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %299 : i1 else %294 : f32 : !cloop.ptr<f32, "const"> -> f32
                %301 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %302 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %301 : i1 else %294 : f32 : !cloop.ptr<f32, "const"> -> f32
                %303 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %304 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %303 : i1 else %294 : f32 : !cloop.ptr<f32, "const"> -> f32
                %305 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %306 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %305 : i1 else %294 : f32 : !cloop.ptr<f32, "const"> -> f32
                %307 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %308 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %307 : i1 else %294 : f32 : !cloop.ptr<f32, "const"> -> f32
                %309 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %310 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %309 : i1 else %294 : f32 : !cloop.ptr<f32, "const"> -> f32
                %311 = cloop.from_elements %296, %298, %300, %302, %304, %306, %308, %310 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %312 = cloop.constant 0.000000e+00 : f32
                %313 = cloop.broadcast %312 : f32 -> vector<8xf32>
                %314 = cloop.partial_load %w[%block, %k_7, %j_3, %246] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(8, min(-d2 + d3, 8)))> else %313 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %315 = cloop.compute "mul"(%311, %314) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %316 = cloop.constant 0.000000e+00 : f32
                %317 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %318 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %317 : i1 else %316 : f32 : !cloop.ptr<f32, "const"> -> f32
                %319 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %320 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %319 : i1 else %316 : f32 : !cloop.ptr<f32, "const"> -> f32
                %321 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %322 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %321 : i1 else %316 : f32 : !cloop.ptr<f32, "const"> -> f32
                %323 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %324 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %323 : i1 else %316 : f32 : !cloop.ptr<f32, "const"> -> f32
                %325 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %326 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %325 : i1 else %316 : f32 : !cloop.ptr<f32, "const"> -> f32
                %327 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %328 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %327 : i1 else %316 : f32 : !cloop.ptr<f32, "const"> -> f32
                %329 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %330 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %329 : i1 else %316 : f32 : !cloop.ptr<f32, "const"> -> f32
                %331 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %332 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 1)> if %331 : i1 else %316 : f32 : !cloop.ptr<f32, "const"> -> f32
                %333 = cloop.from_elements %318, %320, %322, %324, %326, %328, %330, %332 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %334 = cloop.constant 0.000000e+00 : f32
                %335 = cloop.broadcast %334 : f32 -> vector<8xf32>
                %336 = cloop.partial_load %w[%block, %k_7, %j_3, %246] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m, 0, min(8, min(-d2 + d3, 8)))> else %335 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %337 = cloop.compute "mul"(%333, %336) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %338 = cloop.compute "add"(%315, %337) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %339 = cloop.constant 0.000000e+00 : f32
                %340 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %341 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %340 : i1 else %339 : f32 : !cloop.ptr<f32, "const"> -> f32
                %342 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %343 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %342 : i1 else %339 : f32 : !cloop.ptr<f32, "const"> -> f32
                %344 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %345 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %344 : i1 else %339 : f32 : !cloop.ptr<f32, "const"> -> f32
                %346 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %347 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %346 : i1 else %339 : f32 : !cloop.ptr<f32, "const"> -> f32
                %348 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %349 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %348 : i1 else %339 : f32 : !cloop.ptr<f32, "const"> -> f32
                %350 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %351 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %350 : i1 else %339 : f32 : !cloop.ptr<f32, "const"> -> f32
                %352 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %353 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %352 : i1 else %339 : f32 : !cloop.ptr<f32, "const"> -> f32
                %354 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %355 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 2)> if %354 : i1 else %339 : f32 : !cloop.ptr<f32, "const"> -> f32
                %356 = cloop.from_elements %341, %343, %345, %347, %349, %351, %353, %355 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %357 = cloop.constant 0.000000e+00 : f32
                %358 = cloop.broadcast %357 : f32 -> vector<8xf32>
                %359 = cloop.partial_load %w[%block, %k_7, %j_3, %246] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 2, 0, min(8, min(-d2 + d3, 8)))> else %358 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %360 = cloop.compute "mul"(%356, %359) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %361 = cloop.compute "add"(%338, %360) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %362 = cloop.constant 0.000000e+00 : f32
                %363 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %364 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %363 : i1 else %362 : f32 : !cloop.ptr<f32, "const"> -> f32
                %365 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %366 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %365 : i1 else %362 : f32 : !cloop.ptr<f32, "const"> -> f32
                %367 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %368 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %367 : i1 else %362 : f32 : !cloop.ptr<f32, "const"> -> f32
                %369 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %370 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %369 : i1 else %362 : f32 : !cloop.ptr<f32, "const"> -> f32
                %371 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %372 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %371 : i1 else %362 : f32 : !cloop.ptr<f32, "const"> -> f32
                %373 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %374 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %373 : i1 else %362 : f32 : !cloop.ptr<f32, "const"> -> f32
                %375 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %376 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %375 : i1 else %362 : f32 : !cloop.ptr<f32, "const"> -> f32
                %377 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %378 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 3)> if %377 : i1 else %362 : f32 : !cloop.ptr<f32, "const"> -> f32
                %379 = cloop.from_elements %364, %366, %368, %370, %372, %374, %376, %378 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %380 = cloop.constant 0.000000e+00 : f32
                %381 = cloop.broadcast %380 : f32 -> vector<8xf32>
                %382 = cloop.partial_load %w[%block, %k_7, %j_3, %246] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 3, 0, min(8, min(-d2 + d3, 8)))> else %381 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %383 = cloop.compute "mul"(%379, %382) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %384 = cloop.compute "add"(%361, %383) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %385 = cloop.constant 0.000000e+00 : f32
                %386 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %387 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %386 : i1 else %385 : f32 : !cloop.ptr<f32, "const"> -> f32
                %388 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %389 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %388 : i1 else %385 : f32 : !cloop.ptr<f32, "const"> -> f32
                %390 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %391 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %390 : i1 else %385 : f32 : !cloop.ptr<f32, "const"> -> f32
                %392 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %393 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %392 : i1 else %385 : f32 : !cloop.ptr<f32, "const"> -> f32
                %394 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %395 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %394 : i1 else %385 : f32 : !cloop.ptr<f32, "const"> -> f32
                %396 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %397 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %396 : i1 else %385 : f32 : !cloop.ptr<f32, "const"> -> f32
                %398 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %399 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %398 : i1 else %385 : f32 : !cloop.ptr<f32, "const"> -> f32
                %400 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %401 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 4)> if %400 : i1 else %385 : f32 : !cloop.ptr<f32, "const"> -> f32
                %402 = cloop.from_elements %387, %389, %391, %393, %395, %397, %399, %401 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %403 = cloop.constant 0.000000e+00 : f32
                %404 = cloop.broadcast %403 : f32 -> vector<8xf32>
                %405 = cloop.partial_load %w[%block, %k_7, %j_3, %246] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 4, 0, min(8, min(-d2 + d3, 8)))> else %404 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %406 = cloop.compute "mul"(%402, %405) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %407 = cloop.compute "add"(%384, %406) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %408 = cloop.constant 0.000000e+00 : f32
                %409 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %410 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %409 : i1 else %408 : f32 : !cloop.ptr<f32, "const"> -> f32
                %411 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %412 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %411 : i1 else %408 : f32 : !cloop.ptr<f32, "const"> -> f32
                %413 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %414 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %413 : i1 else %408 : f32 : !cloop.ptr<f32, "const"> -> f32
                %415 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %416 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %415 : i1 else %408 : f32 : !cloop.ptr<f32, "const"> -> f32
                %417 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %418 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %417 : i1 else %408 : f32 : !cloop.ptr<f32, "const"> -> f32
                %419 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %420 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %419 : i1 else %408 : f32 : !cloop.ptr<f32, "const"> -> f32
                %421 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %422 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %421 : i1 else %408 : f32 : !cloop.ptr<f32, "const"> -> f32
                %423 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %424 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 5)> if %423 : i1 else %408 : f32 : !cloop.ptr<f32, "const"> -> f32
                %425 = cloop.from_elements %410, %412, %414, %416, %418, %420, %422, %424 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %426 = cloop.constant 0.000000e+00 : f32
                %427 = cloop.broadcast %426 : f32 -> vector<8xf32>
                %428 = cloop.partial_load %w[%block, %k_7, %j_3, %246] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 5, 0, min(8, min(-d2 + d3, 8)))> else %427 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %429 = cloop.compute "mul"(%425, %428) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %430 = cloop.compute "add"(%407, %429) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %431 = cloop.constant 0.000000e+00 : f32
                %432 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %433 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %432 : i1 else %431 : f32 : !cloop.ptr<f32, "const"> -> f32
                %434 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %435 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %434 : i1 else %431 : f32 : !cloop.ptr<f32, "const"> -> f32
                %436 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %437 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %436 : i1 else %431 : f32 : !cloop.ptr<f32, "const"> -> f32
                %438 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %439 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %438 : i1 else %431 : f32 : !cloop.ptr<f32, "const"> -> f32
                %440 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %441 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %440 : i1 else %431 : f32 : !cloop.ptr<f32, "const"> -> f32
                %442 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %443 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %442 : i1 else %431 : f32 : !cloop.ptr<f32, "const"> -> f32
                %444 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %445 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %444 : i1 else %431 : f32 : !cloop.ptr<f32, "const"> -> f32
                %446 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %447 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 6)> if %446 : i1 else %431 : f32 : !cloop.ptr<f32, "const"> -> f32
                %448 = cloop.from_elements %433, %435, %437, %439, %441, %443, %445, %447 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %449 = cloop.constant 0.000000e+00 : f32
                %450 = cloop.broadcast %449 : f32 -> vector<8xf32>
                %451 = cloop.partial_load %w[%block, %k_7, %j_3, %246] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 6, 0, min(8, min(-d2 + d3, 8)))> else %450 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %452 = cloop.compute "mul"(%448, %451) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %453 = cloop.compute "add"(%430, %452) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %454 = cloop.constant 0.000000e+00 : f32
                %455 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %456 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %455 : i1 else %454 : f32 : !cloop.ptr<f32, "const"> -> f32
                %457 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %458 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %457 : i1 else %454 : f32 : !cloop.ptr<f32, "const"> -> f32
                %459 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %460 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %459 : i1 else %454 : f32 : !cloop.ptr<f32, "const"> -> f32
                %461 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %462 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %461 : i1 else %454 : f32 : !cloop.ptr<f32, "const"> -> f32
                %463 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %464 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %463 : i1 else %454 : f32 : !cloop.ptr<f32, "const"> -> f32
                %465 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %466 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %465 : i1 else %454 : f32 : !cloop.ptr<f32, "const"> -> f32
                %467 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %468 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %467 : i1 else %454 : f32 : !cloop.ptr<f32, "const"> -> f32
                %469 = cloop.test[%j_3, %246] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %470 = cloop.load %x[%i, %block, %k_7, %j_3 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2 + 7)> if %469 : i1 else %454 : f32 : !cloop.ptr<f32, "const"> -> f32
                %471 = cloop.from_elements %456, %458, %460, %462, %464, %466, %468, %470 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %472 = cloop.constant 0.000000e+00 : f32
                %473 = cloop.broadcast %472 : f32 -> vector<8xf32>
                %474 = cloop.partial_load %w[%block, %k_7, %j_3, %246] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 7, 0, min(8, min(-d2 + d3, 8)))> else %473 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %475 = cloop.compute "mul"(%471, %474) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %476 = cloop.compute "add"(%453, %475) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %477 = cloop.cast %476 : vector<8xf32> -> vector<8xf64>
                %478 = cloop.constant 0.000000e+00 : f64
                %479 = cloop.broadcast %478 : f64 -> vector<8xf64>
                %480 = cloop.partial_load %row_2[%j_3, %246] <(d0, d1) -> (d0, 0, min(8, min(-d0 + d1, 8)))> else %479 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                %481 = cloop.compute "add"(%480, %477) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.partial_store %481 into %row_2[%j_3, %246] <(d0, d1) -> (d0, 0, min(8, min(-d0 + d1, 8)))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
              }
            }
            cloop.for[%5 : i64] <(d0) -> (d0 * 8, k)> step 1 {
            ^bb0(%k_8: index):
              cloop.for[%245 : i64] <(d0) -> (0, d0 * 8)> step 8 {
              ^bb0(%j_4: index):
                %482 = cloop.load %x[%i, %k_8 : index, index] <(d0, d1) -> (d0 * k + d1)> : !cloop.ptr<f32, "const"> -> f32
                %483 = cloop.load %w[%block, %k_8, %j_4 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                %484 = cloop.broadcast %482 : f32 -> vector<8xf32>
                %485 = cloop.compute "mul"(%484, %483) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %486 = cloop.cast %485 : vector<8xf32> -> vector<8xf64>
                %487 = cloop.load %row_2[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                %488 = cloop.compute "add"(%487, %486) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.store %488 into %row_2[%j_4] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
              }
              cloop.for[%245, %246 : i64, i64] <(d0, d1) -> (d0 * 8, d1)> step 8 {
              ^bb0(%j_5: index):
                %489 = cloop.constant 0.000000e+00 : f32
                %490 = cloop.test[%j_5, %246] <(d0, d1) -> (-d0 + d1 - 1)> : (index, i64) -> i1
                %491 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %490 : i1 else %489 : f32 : !cloop.ptr<f32, "const"> -> f32
                %492 = cloop.test[%j_5, %246] <(d0, d1) -> (-d0 + d1 - 2)> : (index, i64) -> i1
                %493 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %492 : i1 else %489 : f32 : !cloop.ptr<f32, "const"> -> f32
                %494 = cloop.test[%j_5, %246] <(d0, d1) -> (-d0 + d1 - 3)> : (index, i64) -> i1
                %495 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %494 : i1 else %489 : f32 : !cloop.ptr<f32, "const"> -> f32
                %496 = cloop.test[%j_5, %246] <(d0, d1) -> (-d0 + d1 - 4)> : (index, i64) -> i1
                %497 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %496 : i1 else %489 : f32 : !cloop.ptr<f32, "const"> -> f32
                %498 = cloop.test[%j_5, %246] <(d0, d1) -> (-d0 + d1 - 5)> : (index, i64) -> i1
                %499 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %498 : i1 else %489 : f32 : !cloop.ptr<f32, "const"> -> f32
                %500 = cloop.test[%j_5, %246] <(d0, d1) -> (-d0 + d1 - 6)> : (index, i64) -> i1
                %501 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %500 : i1 else %489 : f32 : !cloop.ptr<f32, "const"> -> f32
                %502 = cloop.test[%j_5, %246] <(d0, d1) -> (-d0 + d1 - 7)> : (index, i64) -> i1
                %503 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %502 : i1 else %489 : f32 : !cloop.ptr<f32, "const"> -> f32
                %504 = cloop.test[%j_5, %246] <(d0, d1) -> (-d0 + d1 - 8)> : (index, i64) -> i1
                %505 = cloop.load %x[%i, %block, %k_8, %j_5 : index, index, index, index] <(d0, d1, d2, d3) -> (d0 * k + d2)> if %504 : i1 else %489 : f32 : !cloop.ptr<f32, "const"> -> f32
                %506 = cloop.from_elements %491, %493, %495, %497, %499, %501, %503, %505 : (f32, f32, f32, f32, f32, f32, f32, f32) -> vector<8xf32>
                %507 = cloop.constant 0.000000e+00 : f32
                %508 = cloop.broadcast %507 : f32 -> vector<8xf32>
                %509 = cloop.partial_load %w[%block, %k_8, %j_5, %246] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(8, min(-d2 + d3, 8)))> else %508 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                %510 = cloop.compute "mul"(%506, %509) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                %511 = cloop.cast %510 : vector<8xf32> -> vector<8xf64>
                %512 = cloop.constant 0.000000e+00 : f64
                %513 = cloop.broadcast %512 : f64 -> vector<8xf64>
                %514 = cloop.partial_load %row_2[%j_5, %246] <(d0, d1) -> (d0, 0, min(8, min(-d0 + d1, 8)))> else %513 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                %515 = cloop.compute "add"(%514, %511) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                cloop.partial_store %515 into %row_2[%j_5, %246] <(d0, d1) -> (d0, 0, min(8, min(-d0 + d1, 8)))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
              }
            }
            cloop.for[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) div 8) * 8)> step 8 {
            ^bb0(%j_6: index):
              %516 = cloop.load %row_2[%j_6 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
              %517 = cloop.cast %516 : vector<8xf64> -> vector<8xf32>
              cloop.store %517 into %18[%i, %block, %j_6] <(d0, d1, d2) -> (d0 * m + d1 + d2)> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%block : index] <(d0) -> ((min(-d0 + m, 2048) div 8) * 8, min(-d0 + m, 2048))> step 8 {
            ^bb0(%j_7: index):
              %518 = cloop.constant 0.000000e+00 : f64
              %519 = cloop.broadcast %518 : f64 -> vector<8xf64>
              %520 = cloop.partial_load %row_2[%j_7, %246] <(d0, d1) -> (d0, 0, min(8, min(-d0 + d1, 8)))> else %519 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
              %521 = cloop.cast %520 : vector<8xf64> -> vector<8xf32>
              cloop.partial_store %521 into %18[%i, %block, %j_7, %246] <(d0, d1, d2, d3) -> (d0 * m + d1 + d2, 0, min(8, min(-d2 + d3, 8)))> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    cloop.block {
      cloop.for[%4, %3, %2 : i64, i64, i64] <(d0, d1, d2) -> (0, n)> step 1 threads <(d0, d1, d2) -> (d0 * n * 48 + d1 * d2 * n * 64 + d1 * n * 128 - d2 * n * 64 + n * 320 - 32768)> {
      ^bb0(%i_1: index):
        %522 = cloop.thread : i64
        %523 = cloop.offset %16[%522, %4] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %524 = cloop.constant 0xff800000 : f32
        %525 = cloop.constant 0.000000e+00 : f32
        %526 = cloop.broadcast %525 : f32 -> vector<16xf32>
        %partial0x0 = cloop.variable %526 : vector<16xf32> -> vector<16xf32>
        %partial1x0 = cloop.variable %526 : vector<16xf32> -> vector<16xf32>
        %partial2x0 = cloop.variable %526 : vector<16xf32> -> vector<16xf32>
        %partial3x0 = cloop.variable %526 : vector<16xf32> -> vector<16xf32>
        %527 = cloop.broadcast %524 : f32 -> vector<16xf32>
        cloop.assign %partial0x0, %527 : vector<16xf32>, vector<16xf32>
        %528 = cloop.broadcast %524 : f32 -> vector<16xf32>
        cloop.assign %partial1x0, %528 : vector<16xf32>, vector<16xf32>
        %529 = cloop.broadcast %524 : f32 -> vector<16xf32>
        cloop.assign %partial2x0, %529 : vector<16xf32>, vector<16xf32>
        %530 = cloop.broadcast %524 : f32 -> vector<16xf32>
        cloop.assign %partial3x0, %530 : vector<16xf32>, vector<16xf32>
        cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 64 {
        ^bb0(%j_8: index):
          %531 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %532 = cloop.load %b[%j_8 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %533 = cloop.compute "add"(%531, %532) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %534 = cloop.constant 0.000000e+00 : f32
          %535 = cloop.broadcast %534 : f32 -> vector<16xf32>
          %536 = cloop.compute "max"(%533, %535) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %537 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %538 = cloop.compute "max"(%537, %536) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %538 : vector<16xf32>, vector<16xf32>
          %539 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %540 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %541 = cloop.compute "add"(%539, %540) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %542 = cloop.constant 0.000000e+00 : f32
          %543 = cloop.broadcast %542 : f32 -> vector<16xf32>
          %544 = cloop.compute "max"(%541, %543) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %545 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
          %546 = cloop.compute "max"(%545, %544) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial1x0, %546 : vector<16xf32>, vector<16xf32>
          %547 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %548 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %549 = cloop.compute "add"(%547, %548) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %550 = cloop.constant 0.000000e+00 : f32
          %551 = cloop.broadcast %550 : f32 -> vector<16xf32>
          %552 = cloop.compute "max"(%549, %551) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %553 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
          %554 = cloop.compute "max"(%553, %552) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial2x0, %554 : vector<16xf32>, vector<16xf32>
          %555 = cloop.load %18[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %556 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
          %557 = cloop.compute "add"(%555, %556) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %558 = cloop.constant 0.000000e+00 : f32
          %559 = cloop.broadcast %558 : f32 -> vector<16xf32>
          %560 = cloop.compute "max"(%557, %559) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %561 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
          %562 = cloop.compute "max"(%561, %560) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial3x0, %562 : vector<16xf32>, vector<16xf32>
        }
        cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
        ^bb0(%j_9: index):
          %563 = cloop.constant 0.000000e+00 : f32
          %564 = cloop.broadcast %563 : f32 -> vector<16xf32>
          %565 = cloop.partial_load %18[%i_1, %j_9] <(d0, d1) -> (d0 * m + d1, 0, min(16, min(-d1 + m, 16)))> else %564 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
          %566 = cloop.constant 0.000000e+00 : f32
          %567 = cloop.broadcast %566 : f32 -> vector<16xf32>
          %568 = cloop.partial_load %b[%j_9] <(d0) -> (d0, 0, min(16, min(-d0 + m, 16)))> else %567 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
          %569 = cloop.compute "add"(%565, %568) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %570 = cloop.constant 0.000000e+00 : f32
          %571 = cloop.broadcast %570 : f32 -> vector<16xf32>
          %572 = cloop.compute "max"(%569, %571) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %573 = cloop.index[] <() -> (0)> : () -> i64
          %574 = cloop.index[%j_9] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
          %575 = cloop.lanes 0 : vector<16xi32>
          %576 = cloop.cast %573 : i64 -> i32
          %577 = cloop.cast %574 : i64 -> i32
          %578 = cloop.broadcast %576 : i32 -> vector<16xi32>
          %579 = cloop.compute "ge"(%575, %578) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %580 = cloop.broadcast %577 : i32 -> vector<16xi32>
          %581 = cloop.compute "lt"(%575, %580) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %582 = cloop.compute "and"(%579, %581) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
          %583 = cloop.broadcast %524 : f32 -> vector<16xf32>
          %584 = cloop.compute "select"(%582, %572, %583) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %585 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %586 = cloop.compute "max"(%585, %584) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %586 : vector<16xf32>, vector<16xf32>
        }
        %587 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
        %588 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %589 = cloop.compute "max"(%588, %587) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0, %589 : vector<16xf32>, vector<16xf32>
        %590 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
        %591 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %592 = cloop.compute "max"(%591, %590) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0, %592 : vector<16xf32>, vector<16xf32>
        %593 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
        %594 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %595 = cloop.compute "max"(%594, %593) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0, %595 : vector<16xf32>, vector<16xf32>
        %596 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
        %597 = cloop.fold "max" %596 : vector<16xf32> -> f32
        %598 = cloop.compute "max"(%524, %597) : (f32, f32) -> f32
        %599 = cloop.constant 0.000000e+00 : f64
        %600 = cloop.constant 0.000000e+00 : f32
        %601 = cloop.broadcast %600 : f32 -> vector<16xf32>
        %partial0x0_1 = cloop.variable %601 : vector<16xf32> -> vector<16xf32>
        %partial1x0_1 = cloop.variable %601 : vector<16xf32> -> vector<16xf32>
        %partial2x0_1 = cloop.variable %601 : vector<16xf32> -> vector<16xf32>
        %partial3x0_1 = cloop.variable %601 : vector<16xf32> -> vector<16xf32>
        %602 = cloop.constant 0.000000e+00 : f64
        %603 = cloop.broadcast %602 : f64 -> vector<8xf64>
        %partial0 = cloop.variable %603 : vector<8xf64> -> vector<8xf64>
        %partial0_1 = cloop.variable %603 : vector<8xf64> -> vector<8xf64>
        %604 = cloop.constant 0.000000e+00 : f32
        %605 = cloop.broadcast %604 : f32 -> vector<16xf32>
        cloop.assign %partial0x0_1, %605 : vector<16xf32>, vector<16xf32>
        %606 = cloop.constant 0.000000e+00 : f32
        %607 = cloop.broadcast %606 : f32 -> vector<16xf32>
        cloop.assign %partial1x0_1, %607 : vector<16xf32>, vector<16xf32>
        %608 = cloop.constant 0.000000e+00 : f32
        %609 = cloop.broadcast %608 : f32 -> vector<16xf32>
        cloop.assign %partial2x0_1, %609 : vector<16xf32>, vector<16xf32>
        %610 = cloop.constant 0.000000e+00 : f32
        %611 = cloop.broadcast %610 : f32 -> vector<16xf32>
        cloop.assign %partial3x0_1, %611 : vector<16xf32>, vector<16xf32>
        %612 = cloop.broadcast %599 : f64 -> vector<8xf64>
        cloop.assign %partial0, %612 : vector<8xf64>, vector<8xf64>
        cloop.assign %partial0_1, %612 : vector<8xf64>, vector<8xf64>
        cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 1024 {
        ^bb0(%chunk: index):
          cloop.for[%chunk, %1 : index, i64] <(d0, d1) -> (d0, min(d0 + 1024, d1 * 64))> step 64 {
          ^bb0(%j_10: index):
            %613 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %614 = cloop.load %b[%j_10 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %615 = cloop.compute "add"(%613, %614) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %616 = cloop.constant 0.000000e+00 : f32
            %617 = cloop.broadcast %616 : f32 -> vector<16xf32>
            %618 = cloop.compute "max"(%615, %617) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %619 = cloop.broadcast %598 : f32 -> vector<16xf32>
            %620 = cloop.compute "sub"(%618, %619) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %621 = cloop.compute "exp"(%620) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %621 into %523[%j_10] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %622 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %623 = cloop.compute "add"(%622, %621) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %623 : vector<16xf32>, vector<16xf32>
            %624 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %625 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %626 = cloop.compute "add"(%624, %625) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %627 = cloop.constant 0.000000e+00 : f32
            %628 = cloop.broadcast %627 : f32 -> vector<16xf32>
            %629 = cloop.compute "max"(%626, %628) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %630 = cloop.broadcast %598 : f32 -> vector<16xf32>
            %631 = cloop.compute "sub"(%629, %630) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %632 = cloop.compute "exp"(%631) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %632 into %523[%j_10] <(d0) -> (d0 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %633 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
            %634 = cloop.compute "add"(%633, %632) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial1x0_1, %634 : vector<16xf32>, vector<16xf32>
            %635 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %636 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %637 = cloop.compute "add"(%635, %636) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %638 = cloop.constant 0.000000e+00 : f32
            %639 = cloop.broadcast %638 : f32 -> vector<16xf32>
            %640 = cloop.compute "max"(%637, %639) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %641 = cloop.broadcast %598 : f32 -> vector<16xf32>
            %642 = cloop.compute "sub"(%640, %641) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %643 = cloop.compute "exp"(%642) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %643 into %523[%j_10] <(d0) -> (d0 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %644 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
            %645 = cloop.compute "add"(%644, %643) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial2x0_1, %645 : vector<16xf32>, vector<16xf32>
            %646 = cloop.load %18[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %647 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %648 = cloop.compute "add"(%646, %647) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %649 = cloop.constant 0.000000e+00 : f32
            %650 = cloop.broadcast %649 : f32 -> vector<16xf32>
            %651 = cloop.compute "max"(%648, %650) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %652 = cloop.broadcast %598 : f32 -> vector<16xf32>
            %653 = cloop.compute "sub"(%651, %652) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %654 = cloop.compute "exp"(%653) : (vector<16xf32>) -> vector<16xf32>
            cloop.store %654 into %523[%j_10] <(d0) -> (d0 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %655 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
            %656 = cloop.compute "add"(%655, %654) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial3x0_1, %656 : vector<16xf32>, vector<16xf32>
          }
          %657 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
          %658 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %659 = cloop.compute "add"(%658, %657) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %659 : vector<16xf32>, vector<16xf32>
          %660 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
          %661 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %662 = cloop.compute "add"(%661, %660) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %662 : vector<16xf32>, vector<16xf32>
          %663 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
          %664 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %665 = cloop.compute "add"(%664, %663) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %665 : vector<16xf32>, vector<16xf32>
          %666 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %667 = cloop.shuffle %666 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
          %668 = cloop.shuffle %666 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
          %669 = cloop.cast %667 : vector<8xf32> -> vector<8xf64>
          %670 = cloop.cast %668 : vector<8xf32> -> vector<8xf64>
          %671 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
          %672 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
          %673 = cloop.compute "add"(%671, %669) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %674 = cloop.compute "add"(%672, %670) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          cloop.assign %partial0, %673 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial0_1, %674 : vector<8xf64>, vector<8xf64>
          %675 = cloop.constant 0.000000e+00 : f32
          %676 = cloop.broadcast %675 : f32 -> vector<16xf32>
          cloop.assign %partial0x0_1, %676 : vector<16xf32>, vector<16xf32>
          %677 = cloop.constant 0.000000e+00 : f32
          %678 = cloop.broadcast %677 : f32 -> vector<16xf32>
          cloop.assign %partial1x0_1, %678 : vector<16xf32>, vector<16xf32>
          %679 = cloop.constant 0.000000e+00 : f32
          %680 = cloop.broadcast %679 : f32 -> vector<16xf32>
          cloop.assign %partial2x0_1, %680 : vector<16xf32>, vector<16xf32>
          %681 = cloop.constant 0.000000e+00 : f32
          %682 = cloop.broadcast %681 : f32 -> vector<16xf32>
          cloop.assign %partial3x0_1, %682 : vector<16xf32>, vector<16xf32>
        }
        cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
        ^bb0(%j_11: index):
          %683 = cloop.constant 0.000000e+00 : f32
          %684 = cloop.broadcast %683 : f32 -> vector<16xf32>
          %685 = cloop.partial_load %18[%i_1, %j_11] <(d0, d1) -> (d0 * m + d1, 0, min(16, min(-d1 + m, 16)))> else %684 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
          %686 = cloop.constant 0.000000e+00 : f32
          %687 = cloop.broadcast %686 : f32 -> vector<16xf32>
          %688 = cloop.partial_load %b[%j_11] <(d0) -> (d0, 0, min(16, min(-d0 + m, 16)))> else %687 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
          %689 = cloop.compute "add"(%685, %688) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %690 = cloop.constant 0.000000e+00 : f32
          %691 = cloop.broadcast %690 : f32 -> vector<16xf32>
          %692 = cloop.compute "max"(%689, %691) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %693 = cloop.broadcast %598 : f32 -> vector<16xf32>
          %694 = cloop.compute "sub"(%692, %693) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %695 = cloop.compute "exp"(%694) : (vector<16xf32>) -> vector<16xf32>
          cloop.partial_store %695 into %523[%j_11] <(d0) -> (d0, 0, min(16, min(-d0 + m, 16)))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
          %696 = cloop.index[] <() -> (0)> : () -> i64
          %697 = cloop.index[%j_11] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
          %698 = cloop.lanes 0 : vector<16xi32>
          %699 = cloop.cast %696 : i64 -> i32
          %700 = cloop.cast %697 : i64 -> i32
          %701 = cloop.broadcast %699 : i32 -> vector<16xi32>
          %702 = cloop.compute "ge"(%698, %701) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %703 = cloop.broadcast %700 : i32 -> vector<16xi32>
          %704 = cloop.compute "lt"(%698, %703) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
          %705 = cloop.compute "and"(%702, %704) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
          %706 = cloop.compute "select"(%705, %695, %691) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          %707 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %708 = cloop.compute "add"(%707, %706) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %708 : vector<16xf32>, vector<16xf32>
        }
        %709 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
        %710 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %711 = cloop.compute "add"(%710, %709) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0_1, %711 : vector<16xf32>, vector<16xf32>
        %712 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
        %713 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %714 = cloop.compute "add"(%713, %712) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0_1, %714 : vector<16xf32>, vector<16xf32>
        %715 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
        %716 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %717 = cloop.compute "add"(%716, %715) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
        cloop.assign %partial0x0_1, %717 : vector<16xf32>, vector<16xf32>
        %718 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
        %719 = cloop.shuffle %718 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
        %720 = cloop.shuffle %718 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
        %721 = cloop.cast %719 : vector<8xf32> -> vector<8xf64>
        %722 = cloop.cast %720 : vector<8xf32> -> vector<8xf64>
        %723 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
        %724 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
        %725 = cloop.compute "add"(%723, %721) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
        %726 = cloop.compute "add"(%724, %722) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
        cloop.assign %partial0, %725 : vector<8xf64>, vector<8xf64>
        cloop.assign %partial0_1, %726 : vector<8xf64>, vector<8xf64>
        %727 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
        %728 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
        %729 = cloop.compute "add"(%727, %728) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
        %730 = cloop.fold "add" %729 : vector<8xf64> -> f64
        %731 = cloop.compute "add"(%599, %730) : (f64, f64) -> f64
        %732 = cloop.cast %731 : f64 -> f32
        cloop.for[%0 : i64] <(d0) -> (0, d0 * 16)> step 16 {
        ^bb0(%j_12: index):
          %733 = cloop.load %523[%j_12 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
          %734 = cloop.broadcast %732 : f32 -> vector<16xf32>
          %735 = cloop.compute "div"(%733, %734) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.store %735 into %out[%i_1, %j_12] <(d0, d1) -> (d0 * m + d1)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
        }
        cloop.for[%0 : i64] <(d0) -> (d0 * 16, m)> step 16 {
        ^bb0(%j_13: index):
          %736 = cloop.constant 0.000000e+00 : f32
          %737 = cloop.broadcast %736 : f32 -> vector<16xf32>
          %738 = cloop.partial_load %523[%j_13] <(d0) -> (d0, 0, -d0 + m)> else %737 : (!cloop.ptr<f32, "restrict">, index, vector<16xf32>) -> vector<16xf32>
          %739 = cloop.broadcast %732 : f32 -> vector<16xf32>
          %740 = cloop.compute "div"(%738, %739) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.partial_store %740 into %out[%i_1, %j_13] <(d0, d1) -> (d0 * m + d1, 0, -d1 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
        }
      }
    }
    func.return
  }
}
