builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (m div 16)> : () -> i64
    %1 = cloop.index[] <() -> (m div 64)> : () -> i64
    %2 = cloop.index[] <() -> (k div 8)> : () -> i64
    %3 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %4 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %5 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %6 = cloop.index[] <() -> (min((min(64, n) + 7) floordiv 8, 256))> : () -> i64
    %7 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %8 = cloop.index[] <() -> (m floordiv 64)> : () -> i64
    %9 = cloop.index[] <() -> ((m floordiv 64 + 15) floordiv 16)> : () -> i64
    %10 = cloop.index[] <() -> (k floordiv 8)> : () -> i64
    %11 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %12 = cloop.index[] <() -> (min(256, k) floordiv 16)> : () -> i64
    %13 = cloop.index[] <() -> (min(256, k))> : () -> i64
    %14 = cloop.index[] <() -> ((min(256, k) + 15) floordiv 16)> : () -> i64
    %15 = cloop.index[] <() -> ((k + 255) floordiv 256)> : () -> i64
    %16 = cloop.index[] <() -> (((m + 31) floordiv 32 + 63) floordiv 64)> : () -> i64
    %17 = cloop.index[] <() -> (min(2048, m) floordiv 8)> : () -> i64
    %18 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %19 = cloop.index[] <() -> ((min(2048, m) + 7) floordiv 8)> : () -> i64
    %20 = cloop.index[] <() -> ((m + 2047) floordiv 2048)> : () -> i64
    %21 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %22 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %23 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %24 = cloop.index[] <() -> (min(64, n))> : () -> i64
    %25 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(2048, m) + 7) floordiv 8) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + min((min(64, n) + 7) floordiv 8, 256) * 8192)> : !cloop.ptr<i8, "">
    %26 = cloop.slice %25 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %27 = cloop.slice %25 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f64, "restrict">
    %28 = cloop.slice %25 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + ((min(2048, m) + 7) floordiv 8) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %29 = cloop.slice %25 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + ((min(2048, m) + 7) floordiv 8) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %30 = cloop.slice %25 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, ((m + 15) floordiv 16) * 64 + ((min(2048, m) + 7) floordiv 8) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + min((min(64, n) + 7) floordiv 8, 256) * 8192)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %25 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %31 = cloop.test[%24, %23] <(d0, d1) -> (d0 - 4, m - 4, k - 1, d1 - 1)> : (i64, i64) -> i1
      cloop.if %31 {
        cloop.for <() -> (0, k)> step 256 {
        ^bb0(%depth: index):
          %32 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
          %33 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
          cloop.for[%22, %21 : i64, i64] <(d0, d1) -> (0, d0)> step 1 threads <(d0, d1) -> (d1 * 16384 - 32768)> {
          ^bb0(%panel: index):
            %34 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %35 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %36 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %36 {
              cloop.for[%33 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                %37 = cloop.load %w[%depth, %panel, %k : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 * 32 + d2 * m)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %37 into %right[%panel, %k, %22, %32] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %38 = cloop.load %w[%depth, %panel, %k : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 * 32 + d2 * m + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %38 into %right[%panel, %k, %22, %32] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            } else {
              cloop.for[%33 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %39 = cloop.constant 0.000000e+00 : f32
                %40 = cloop.broadcast %39 : f32 -> vector<16xf32>
                %41 = cloop.partial_load %w[%depth, %panel, %k_1, %35] <(d0, d1, d2, d3) -> (d0 * m + d1 * 32 + d2 * m, 0, d3)> else %40 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %41 into %right[%panel, %k_1, %22, %32] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %42 = cloop.constant 0.000000e+00 : f32
                %43 = cloop.broadcast %42 : f32 -> vector<16xf32>
                %44 = cloop.partial_load %w[%depth, %panel, %k_1, %34] <(d0, d1, d2, d3) -> (d0 * m + d1 * 32 + d2 * m + 16, 0, d3)> else %43 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %44 into %right[%panel, %k_1, %22, %32] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      cloop.for[%23, %20, %19, %18, %17, %16, %15, %14, %13, %12, %11, %10, %9, %8 : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13) -> (d1 * d2 * d3 * 1024 - d1 * d2 * d3 * d11 * 3584 + d1 * d2 * d3 * k * 512 + d1 * d3 * d4 * 1024 - d1 * d3 * d4 * d11 * 3584 + d1 * d3 * d4 * k * 512 + d3 * 20480 + d3 * d5 * d6 * 1280 + d3 * d5 * d6 * d7 * 2048 + d3 * d5 * d6 * d8 * 256 + d3 * d5 * d6 * d9 * 2048 + d3 * d10 * 3072 + d3 * d12 * 8192 + d3 * d12 * d13 * 4096 - d3 * d13 * 4096 - 32768)> {
      ^bb0(%strip: index):
        %45 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %46 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %47 = cloop.thread : i64
        %strip_1 = cloop.offset %30[%47, %7] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %48 = cloop.test[%strip] <(d0) -> (min(-d0 * 64 + n, 64) - 4, m - 4, k - 1)> : (index) -> i1
        cloop.if %48 {
          %49 = cloop.thread : i64
          %left = cloop.offset %29[%49, %6] <(d0, d1) -> (d0 * d1 * 2048)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %50 = cloop.thread : i64
          %kept = cloop.offset %28[%50, %5, %4] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
          cloop.for[%22 : i64] <(d0) -> (0, d0)> step 64 {
          ^bb0(%columns: index):
            %51 = cloop.index[%columns, %22] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
            %52 = cloop.index[%columns, %22] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
            cloop.for <() -> (0, k)> step 256 {
            ^bb0(%depth_1: index):
              %53 = cloop.index[%depth_1] <(d0) -> (d0 div 256)> : (index) -> i64
              %54 = cloop.index[%depth_1] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
              %55 = cloop.index[%depth_1] <(d0) -> (min(-d0 + k, 256) div 16)> : (index) -> i64
              cloop.for[%46 : i64] <(d0) -> (0, d0)> step 256 {
              ^bb0(%rows: index):
                %56 = cloop.index[%rows, %46] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
                cloop.for[%rows, %46 : index, i64] <(d0, d1) -> (0, min(-d0 + d1, 256))> step 1 {
                ^bb0(%panel_1: index):
                  %57 = cloop.test[%rows, %panel_1, %45] <(d0, d1, d2) -> (-d0 * 8 - d1 * 8 + d2 - 8)> : (index, index, i64) -> i1
                  cloop.if %57 {
                    cloop.for <() -> (0, 8)> step 1 {
                    ^bb0(%row: index):
                      cloop.for[%55 : i64] <(d0) -> (0, d0 * 16)> step 16 {
                      ^bb0(%k_2: index):
                        %58 = cloop.load %x[%strip, %depth_1, %rows, %panel_1, %row, %k_2 : index, index, index, index, index, index] <(d0, d1, d2, d3, d4, d5) -> (d0 * k * 64 + d1 + d2 * k * 8 + d3 * k * 8 + d4 * k + d5)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                        cloop.store %58 into %left[%panel_1, %row, %k_2] <(d0, d1, d2) -> (d0 * 2048 + d1 * 256 + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
                      }
                      cloop.for[%55, %54 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 16 {
                      ^bb0(%k_3: index):
                        %59 = cloop.constant 0.000000e+00 : f32
                        %60 = cloop.broadcast %59 : f32 -> vector<16xf32>
                        %61 = cloop.partial_load %x[%strip, %depth_1, %rows, %panel_1, %row, %k_3, %54] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d2 * k * 8 + d3 * k * 8 + d4 * k + d5, 0, min(-d5 + d6, 16))> else %60 : (!cloop.ptr<f32, "const">, index, index, index, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                        cloop.partial_store %61 into %left[%panel_1, %row, %k_3, %54] <(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 256 + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      }
                    }
                  } else {
                    cloop.for <() -> (0, 8)> step 1 {
                    ^bb0(%row_1: index):
                      cloop.for[%55 : i64] <(d0) -> (0, d0 * 16)> step 16 {
                      ^bb0(%k_4: index):
                        %62 = cloop.constant 0.000000e+00 : f32
                        %63 = cloop.broadcast %62 : f32 -> vector<16xf32>
                        %64 = cloop.test[%rows, %panel_1, %row_1, %45] <(d0, d1, d2, d3) -> (-d0 * 8 - d1 * 8 - d2 + d3 - 1)> : (index, index, index, i64) -> i1
                        %65 = cloop.load %x[%strip, %depth_1, %rows, %panel_1, %row_1, %k_4 : index, index, index, index, index, index] <(d0, d1, d2, d3, d4, d5) -> (d0 * k * 64 + d1 + d2 * k * 8 + d3 * k * 8 + d4 * k + d5)> if %64 : i1 else %63 : vector<16xf32> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                        cloop.store %65 into %left[%panel_1, %row_1, %k_4] <(d0, d1, d2) -> (d0 * 2048 + d1 * 256 + d2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
                      }
                      cloop.for[%55, %54 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 16 {
                      ^bb0(%k_5: index):
                        %66 = cloop.constant 0.000000e+00 : f32
                        %67 = cloop.broadcast %66 : f32 -> vector<16xf32>
                        %68 = cloop.partial_load %x[%strip, %depth_1, %rows, %panel_1, %row_1, %k_5, %45, %54] <(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0 * k * 64 + d1 + d2 * k * 8 + d3 * k * 8 + d4 * k + d5, 0, min(-d2 * 128 - d3 * 128 - d4 * 16 + d6 * 16, min(-d5 + d7, 16)))> else %67 : (!cloop.ptr<f32, "const">, index, index, index, index, index, index, i64, i64, vector<16xf32>) -> vector<16xf32>
                        cloop.partial_store %68 into %left[%panel_1, %row_1, %k_5, %54] <(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 256 + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      }
                    }
                  }
                }
                cloop.for[%rows, %52, %46 : index, i64, i64] <(d0, d1, d2) -> (0, d1 * ((min(-d0 + d2, 256) + 15) floordiv 16))> step 1 {
                ^bb0(%group: index):
                  %69 = cloop.index[%group, %52, %56] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                  %70 = cloop.index[%group, %52] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                  cloop.for[%group, %52, %51 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                  ^bb0(%p: index):
                    %71 = cloop.index[%columns, %p] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m - 16, 16))> : (index, index) -> i64
                    %72 = cloop.index[%columns, %p] <(d0, d1) -> (min(-d0 * 32 - d1 * 32 + m, 16))> : (index, index) -> i64
                    cloop.for[%70, %69 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                    ^bb0(%q: index):
                      %73 = cloop.index[%rows, %q, %45, %71] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 112, d3))> : (index, index, i64, i64) -> i64
                      %74 = cloop.index[%rows, %q, %45, %72] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 112, d3))> : (index, index, i64, i64) -> i64
                      %75 = cloop.index[%rows, %q, %45, %71] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 96, d3))> : (index, index, i64, i64) -> i64
                      %76 = cloop.index[%rows, %q, %45, %72] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 96, d3))> : (index, index, i64, i64) -> i64
                      %77 = cloop.index[%rows, %q, %45, %71] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 80, d3))> : (index, index, i64, i64) -> i64
                      %78 = cloop.index[%rows, %q, %45, %72] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 80, d3))> : (index, index, i64, i64) -> i64
                      %79 = cloop.index[%rows, %q, %45, %71] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 64, d3))> : (index, index, i64, i64) -> i64
                      %80 = cloop.index[%rows, %q, %45, %72] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 64, d3))> : (index, index, i64, i64) -> i64
                      %81 = cloop.index[%rows, %q, %45, %71] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 48, d3))> : (index, index, i64, i64) -> i64
                      %82 = cloop.index[%rows, %q, %45, %72] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 48, d3))> : (index, index, i64, i64) -> i64
                      %83 = cloop.index[%rows, %q, %45, %71] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 32, d3))> : (index, index, i64, i64) -> i64
                      %84 = cloop.index[%rows, %q, %45, %72] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 32, d3))> : (index, index, i64, i64) -> i64
                      %85 = cloop.index[%rows, %q, %45, %71] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 16, d3))> : (index, index, i64, i64) -> i64
                      %86 = cloop.index[%rows, %q, %45, %72] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16 - 16, d3))> : (index, index, i64, i64) -> i64
                      %87 = cloop.index[%rows, %q, %45, %71] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16, d3))> : (index, index, i64, i64) -> i64
                      %88 = cloop.index[%rows, %q, %45, %72] <(d0, d1, d2, d3) -> (min(-d0 * 128 - d1 * 128 + d2 * 16, d3))> : (index, index, i64, i64) -> i64
                      %89 = cloop.constant 0.000000e+00 : f32
                      %90 = cloop.broadcast %89 : f32 -> vector<16xf32>
                      %tile0x0x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile0x1x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile1x0x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile1x1x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile2x0x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile2x1x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile3x0x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile3x1x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile4x0x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile4x1x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile5x0x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile5x1x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile6x0x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile6x1x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile7x0x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %tile7x1x0 = cloop.variable %90 : vector<16xf32> -> vector<16xf32>
                      %91 = cloop.constant 0.000000e+00 : f32
                      %92 = cloop.broadcast %91 : f32 -> vector<16xf32>
                      cloop.assign %tile0x0x0, %92 : vector<16xf32>, vector<16xf32>
                      %93 = cloop.constant 0.000000e+00 : f32
                      %94 = cloop.broadcast %93 : f32 -> vector<16xf32>
                      cloop.assign %tile0x1x0, %94 : vector<16xf32>, vector<16xf32>
                      %95 = cloop.constant 0.000000e+00 : f32
                      %96 = cloop.broadcast %95 : f32 -> vector<16xf32>
                      cloop.assign %tile1x0x0, %96 : vector<16xf32>, vector<16xf32>
                      %97 = cloop.constant 0.000000e+00 : f32
                      %98 = cloop.broadcast %97 : f32 -> vector<16xf32>
                      cloop.assign %tile1x1x0, %98 : vector<16xf32>, vector<16xf32>
                      %99 = cloop.constant 0.000000e+00 : f32
                      %100 = cloop.broadcast %99 : f32 -> vector<16xf32>
                      cloop.assign %tile2x0x0, %100 : vector<16xf32>, vector<16xf32>
                      %101 = cloop.constant 0.000000e+00 : f32
                      %102 = cloop.broadcast %101 : f32 -> vector<16xf32>
                      cloop.assign %tile2x1x0, %102 : vector<16xf32>, vector<16xf32>
                      %103 = cloop.constant 0.000000e+00 : f32
                      %104 = cloop.broadcast %103 : f32 -> vector<16xf32>
                      cloop.assign %tile3x0x0, %104 : vector<16xf32>, vector<16xf32>
                      %105 = cloop.constant 0.000000e+00 : f32
                      %106 = cloop.broadcast %105 : f32 -> vector<16xf32>
                      cloop.assign %tile3x1x0, %106 : vector<16xf32>, vector<16xf32>
                      %107 = cloop.constant 0.000000e+00 : f32
                      %108 = cloop.broadcast %107 : f32 -> vector<16xf32>
                      cloop.assign %tile4x0x0, %108 : vector<16xf32>, vector<16xf32>
                      %109 = cloop.constant 0.000000e+00 : f32
                      %110 = cloop.broadcast %109 : f32 -> vector<16xf32>
                      cloop.assign %tile4x1x0, %110 : vector<16xf32>, vector<16xf32>
                      %111 = cloop.constant 0.000000e+00 : f32
                      %112 = cloop.broadcast %111 : f32 -> vector<16xf32>
                      cloop.assign %tile5x0x0, %112 : vector<16xf32>, vector<16xf32>
                      %113 = cloop.constant 0.000000e+00 : f32
                      %114 = cloop.broadcast %113 : f32 -> vector<16xf32>
                      cloop.assign %tile5x1x0, %114 : vector<16xf32>, vector<16xf32>
                      %115 = cloop.constant 0.000000e+00 : f32
                      %116 = cloop.broadcast %115 : f32 -> vector<16xf32>
                      cloop.assign %tile6x0x0, %116 : vector<16xf32>, vector<16xf32>
                      %117 = cloop.constant 0.000000e+00 : f32
                      %118 = cloop.broadcast %117 : f32 -> vector<16xf32>
                      cloop.assign %tile6x1x0, %118 : vector<16xf32>, vector<16xf32>
                      %119 = cloop.constant 0.000000e+00 : f32
                      %120 = cloop.broadcast %119 : f32 -> vector<16xf32>
                      cloop.assign %tile7x0x0, %120 : vector<16xf32>, vector<16xf32>
                      %121 = cloop.constant 0.000000e+00 : f32
                      %122 = cloop.broadcast %121 : f32 -> vector<16xf32>
                      cloop.assign %tile7x1x0, %122 : vector<16xf32>, vector<16xf32>
                      cloop.for[%54 : i64] <(d0) -> (0, d0)> step 1 {
                      ^bb0(%k_6: index):
                        %123 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1)> : !cloop.ptr<f32, "restrict"> -> f32
                        %124 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %125 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        %126 = cloop.broadcast %123 : f32 -> vector<16xf32>
                        %127 = cloop.compute "fma"(%126, %124, %125) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile0x0x0, %127 : vector<16xf32>, vector<16xf32>
                        %128 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1)> : !cloop.ptr<f32, "restrict"> -> f32
                        %129 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %130 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        %131 = cloop.broadcast %128 : f32 -> vector<16xf32>
                        %132 = cloop.compute "fma"(%131, %129, %130) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile0x1x0, %132 : vector<16xf32>, vector<16xf32>
                        %133 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 256)> : !cloop.ptr<f32, "restrict"> -> f32
                        %134 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %135 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        %136 = cloop.broadcast %133 : f32 -> vector<16xf32>
                        %137 = cloop.compute "fma"(%136, %134, %135) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile1x0x0, %137 : vector<16xf32>, vector<16xf32>
                        %138 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 256)> : !cloop.ptr<f32, "restrict"> -> f32
                        %139 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %140 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        %141 = cloop.broadcast %138 : f32 -> vector<16xf32>
                        %142 = cloop.compute "fma"(%141, %139, %140) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile1x1x0, %142 : vector<16xf32>, vector<16xf32>
                        %143 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 512)> : !cloop.ptr<f32, "restrict"> -> f32
                        %144 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %145 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        %146 = cloop.broadcast %143 : f32 -> vector<16xf32>
                        %147 = cloop.compute "fma"(%146, %144, %145) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile2x0x0, %147 : vector<16xf32>, vector<16xf32>
                        %148 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 512)> : !cloop.ptr<f32, "restrict"> -> f32
                        %149 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %150 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        %151 = cloop.broadcast %148 : f32 -> vector<16xf32>
                        %152 = cloop.compute "fma"(%151, %149, %150) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile2x1x0, %152 : vector<16xf32>, vector<16xf32>
                        %153 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 768)> : !cloop.ptr<f32, "restrict"> -> f32
                        %154 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %155 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        %156 = cloop.broadcast %153 : f32 -> vector<16xf32>
                        %157 = cloop.compute "fma"(%156, %154, %155) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile3x0x0, %157 : vector<16xf32>, vector<16xf32>
                        %158 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 768)> : !cloop.ptr<f32, "restrict"> -> f32
                        %159 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %160 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        %161 = cloop.broadcast %158 : f32 -> vector<16xf32>
                        %162 = cloop.compute "fma"(%161, %159, %160) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile3x1x0, %162 : vector<16xf32>, vector<16xf32>
                        %163 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1024)> : !cloop.ptr<f32, "restrict"> -> f32
                        %164 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %165 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        %166 = cloop.broadcast %163 : f32 -> vector<16xf32>
                        %167 = cloop.compute "fma"(%166, %164, %165) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile4x0x0, %167 : vector<16xf32>, vector<16xf32>
                        %168 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1024)> : !cloop.ptr<f32, "restrict"> -> f32
                        %169 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %170 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        %171 = cloop.broadcast %168 : f32 -> vector<16xf32>
                        %172 = cloop.compute "fma"(%171, %169, %170) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile4x1x0, %172 : vector<16xf32>, vector<16xf32>
                        %173 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1280)> : !cloop.ptr<f32, "restrict"> -> f32
                        %174 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %175 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        %176 = cloop.broadcast %173 : f32 -> vector<16xf32>
                        %177 = cloop.compute "fma"(%176, %174, %175) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile5x0x0, %177 : vector<16xf32>, vector<16xf32>
                        %178 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1280)> : !cloop.ptr<f32, "restrict"> -> f32
                        %179 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %180 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        %181 = cloop.broadcast %178 : f32 -> vector<16xf32>
                        %182 = cloop.compute "fma"(%181, %179, %180) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile5x1x0, %182 : vector<16xf32>, vector<16xf32>
                        %183 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1536)> : !cloop.ptr<f32, "restrict"> -> f32
                        %184 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %185 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        %186 = cloop.broadcast %183 : f32 -> vector<16xf32>
                        %187 = cloop.compute "fma"(%186, %184, %185) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile6x0x0, %187 : vector<16xf32>, vector<16xf32>
                        %188 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1536)> : !cloop.ptr<f32, "restrict"> -> f32
                        %189 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %190 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        %191 = cloop.broadcast %188 : f32 -> vector<16xf32>
                        %192 = cloop.compute "fma"(%191, %189, %190) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile6x1x0, %192 : vector<16xf32>, vector<16xf32>
                        %193 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1792)> : !cloop.ptr<f32, "restrict"> -> f32
                        %194 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %195 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        %196 = cloop.broadcast %193 : f32 -> vector<16xf32>
                        %197 = cloop.compute "fma"(%196, %194, %195) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile7x0x0, %197 : vector<16xf32>, vector<16xf32>
                        %198 = cloop.load %left[%q, %k_6 : index, index] <(d0, d1) -> (d0 * 2048 + d1 + 1792)> : !cloop.ptr<f32, "restrict"> -> f32
                        %199 = cloop.load %right[%columns, %p, %k_6, %22, %53 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %200 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        %201 = cloop.broadcast %198 : f32 -> vector<16xf32>
                        %202 = cloop.compute "fma"(%201, %199, %200) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile7x1x0, %202 : vector<16xf32>, vector<16xf32>
                      }
                      %203 = cloop.test[%depth_1] <(d0) -> (d0 - 1)> : (index) -> i1
                      cloop.if %203 {
                        %204 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %205 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        %206 = cloop.compute "add"(%205, %204) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile0x0x0, %206 : vector<16xf32>, vector<16xf32>
                        %207 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %208 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        %209 = cloop.compute "add"(%208, %207) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile0x1x0, %209 : vector<16xf32>, vector<16xf32>
                        %210 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %211 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        %212 = cloop.compute "add"(%211, %210) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile1x0x0, %212 : vector<16xf32>, vector<16xf32>
                        %213 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %214 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        %215 = cloop.compute "add"(%214, %213) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile1x1x0, %215 : vector<16xf32>, vector<16xf32>
                        %216 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %217 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        %218 = cloop.compute "add"(%217, %216) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile2x0x0, %218 : vector<16xf32>, vector<16xf32>
                        %219 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %220 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        %221 = cloop.compute "add"(%220, %219) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile2x1x0, %221 : vector<16xf32>, vector<16xf32>
                        %222 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %223 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        %224 = cloop.compute "add"(%223, %222) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile3x0x0, %224 : vector<16xf32>, vector<16xf32>
                        %225 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %226 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        %227 = cloop.compute "add"(%226, %225) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile3x1x0, %227 : vector<16xf32>, vector<16xf32>
                        %228 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %229 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        %230 = cloop.compute "add"(%229, %228) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile4x0x0, %230 : vector<16xf32>, vector<16xf32>
                        %231 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %232 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        %233 = cloop.compute "add"(%232, %231) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile4x1x0, %233 : vector<16xf32>, vector<16xf32>
                        %234 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %235 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        %236 = cloop.compute "add"(%235, %234) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile5x0x0, %236 : vector<16xf32>, vector<16xf32>
                        %237 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %238 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        %239 = cloop.compute "add"(%238, %237) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile5x1x0, %239 : vector<16xf32>, vector<16xf32>
                        %240 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %241 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        %242 = cloop.compute "add"(%241, %240) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile6x0x0, %242 : vector<16xf32>, vector<16xf32>
                        %243 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %244 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        %245 = cloop.compute "add"(%244, %243) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile6x1x0, %245 : vector<16xf32>, vector<16xf32>
                        %246 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %247 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        %248 = cloop.compute "add"(%247, %246) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile7x0x0, %248 : vector<16xf32>, vector<16xf32>
                        %249 = cloop.load %kept[%rows, %p, %q, %3 : index, index, index, i64] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %250 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        %251 = cloop.compute "add"(%250, %249) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.assign %tile7x1x0, %251 : vector<16xf32>, vector<16xf32>
                      }
                      %252 = cloop.test[%depth_1] <(d0) -> (d0 - k + 256)> : (index) -> i1
                      cloop.if %252 {
                        %253 = cloop.test[%columns, %rows, %p, %q, %45] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                        cloop.if %253 {
                          %254 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %254 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %255 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %255 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %256 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %256 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %257 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %257 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %258 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %258 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %259 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %259 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %260 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %260 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %261 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %261 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %262 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %262 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %263 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %263 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %264 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %264 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %265 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %265 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %266 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %266 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %267 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %267 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %268 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %268 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                          %269 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.store %269 into %strip_1[%columns, %rows, %p, %q] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index
                        } else {
                          %270 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %270 into %strip_1[%columns, %rows, %p, %q, %88] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %271 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %271 into %strip_1[%columns, %rows, %p, %q, %87] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %272 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %272 into %strip_1[%columns, %rows, %p, %q, %86] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %273 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %273 into %strip_1[%columns, %rows, %p, %q, %85] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %274 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %274 into %strip_1[%columns, %rows, %p, %q, %84] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %275 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %275 into %strip_1[%columns, %rows, %p, %q, %83] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 2 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %276 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %276 into %strip_1[%columns, %rows, %p, %q, %82] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %277 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %277 into %strip_1[%columns, %rows, %p, %q, %81] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 3 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %278 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %278 into %strip_1[%columns, %rows, %p, %q, %80] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %279 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %279 into %strip_1[%columns, %rows, %p, %q, %79] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 4 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %280 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %280 into %strip_1[%columns, %rows, %p, %q, %78] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %281 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %281 into %strip_1[%columns, %rows, %p, %q, %77] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 5 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %282 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %282 into %strip_1[%columns, %rows, %p, %q, %76] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %283 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %283 into %strip_1[%columns, %rows, %p, %q, %75] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 6 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %284 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %284 into %strip_1[%columns, %rows, %p, %q, %74] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                          %285 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                          cloop.partial_store %285 into %strip_1[%columns, %rows, %p, %q, %73] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + m * 7 + 16, 0, d4)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        }
                      } else {
                        %286 = cloop.variable %tile0x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %286 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %287 = cloop.variable %tile0x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %287 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %288 = cloop.variable %tile1x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %288 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %289 = cloop.variable %tile1x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %289 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %290 = cloop.variable %tile2x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %290 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 64)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %291 = cloop.variable %tile2x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %291 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 80)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %292 = cloop.variable %tile3x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %292 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 96)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %293 = cloop.variable %tile3x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %293 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 112)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %294 = cloop.variable %tile4x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %294 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 128)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %295 = cloop.variable %tile4x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %295 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 144)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %296 = cloop.variable %tile5x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %296 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 160)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %297 = cloop.variable %tile5x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %297 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 176)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %298 = cloop.variable %tile6x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %298 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %299 = cloop.variable %tile6x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %299 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 208)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %300 = cloop.variable %tile7x0x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %300 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 224)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                        %301 = cloop.variable %tile7x1x0 : vector<16xf32> -> vector<16xf32>
                        cloop.store %301 into %kept[%rows, %p, %q, %3] <(d0, d1, d2, d3) -> (d0 * d3 * 256 + d1 * 256 + d2 * d3 * 256 + 240)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
                      }
                    }
                  }
                }
              }
            }
          }
        } else {
          cloop.for[%45 : i64] <(d0) -> (0, d0)> step 1 {
          ^bb0(%i: index):
            cloop.for <() -> (0, m)> step 2048 {
            ^bb0(%block: index):
              %302 = cloop.index[%block] <(d0) -> (min(-d0 + m, 2048) div 8)> : (index) -> i64
              %303 = cloop.index[%block] <(d0) -> (min(-d0 + m, 2048))> : (index) -> i64
              %304 = cloop.thread : i64
              %row_2 = cloop.offset %27[%304, %19] <(d0, d1) -> (d0 * d1 * 8)> : (!cloop.ptr<f64, "restrict">, i64, i64) -> !cloop.ptr<f64, "restrict">
              cloop.for[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) div 8) * 8)> step 8 {
              ^bb0(%j: index):
                %305 = cloop.constant 0.000000e+00 : f64
                %306 = cloop.broadcast %305 : f64 -> vector<8xf64>
                cloop.store %306 into %row_2[%j] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
              }
              cloop.for[%block : index] <(d0) -> ((min(-d0 + m, 2048) div 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_1: index):
                %307 = cloop.constant 0.000000e+00 : f64
                %308 = cloop.broadcast %307 : f64 -> vector<8xf64>
                cloop.partial_store %308 into %row_2[%j_1, %303] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
              }
              cloop.for[%2 : i64] <(d0) -> (0, d0 * 8)> step 8 {
              ^bb0(%k_7: index):
                cloop.for[%302 : i64] <(d0) -> (0, d0 * 8)> step 8 {
                ^bb0(%j_2: index):
                  %309 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2)> : !cloop.ptr<f32, "const"> -> f32
                  %310 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %311 = cloop.broadcast %309 : f32 -> vector<8xf32>
                  %312 = cloop.compute "mul"(%311, %310) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %313 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 1)> : !cloop.ptr<f32, "const"> -> f32
                  %314 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %315 = cloop.broadcast %313 : f32 -> vector<8xf32>
                  %316 = cloop.compute "mul"(%315, %314) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %317 = cloop.compute "add"(%312, %316) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %318 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 2)> : !cloop.ptr<f32, "const"> -> f32
                  %319 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %320 = cloop.broadcast %318 : f32 -> vector<8xf32>
                  %321 = cloop.compute "mul"(%320, %319) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %322 = cloop.compute "add"(%317, %321) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %323 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 3)> : !cloop.ptr<f32, "const"> -> f32
                  %324 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 3)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %325 = cloop.broadcast %323 : f32 -> vector<8xf32>
                  %326 = cloop.compute "mul"(%325, %324) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %327 = cloop.compute "add"(%322, %326) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %328 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 4)> : !cloop.ptr<f32, "const"> -> f32
                  %329 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 4)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %330 = cloop.broadcast %328 : f32 -> vector<8xf32>
                  %331 = cloop.compute "mul"(%330, %329) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %332 = cloop.compute "add"(%327, %331) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %333 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 5)> : !cloop.ptr<f32, "const"> -> f32
                  %334 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 5)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %335 = cloop.broadcast %333 : f32 -> vector<8xf32>
                  %336 = cloop.compute "mul"(%335, %334) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %337 = cloop.compute "add"(%332, %336) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %338 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 6)> : !cloop.ptr<f32, "const"> -> f32
                  %339 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 6)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %340 = cloop.broadcast %338 : f32 -> vector<8xf32>
                  %341 = cloop.compute "mul"(%340, %339) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %342 = cloop.compute "add"(%337, %341) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %343 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 7)> : !cloop.ptr<f32, "const"> -> f32
                  %344 = cloop.load %w[%block, %k_7, %j_2 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2 + m * 7)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %345 = cloop.broadcast %343 : f32 -> vector<8xf32>
                  %346 = cloop.compute "mul"(%345, %344) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %347 = cloop.compute "add"(%342, %346) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %348 = cloop.cast %347 : vector<8xf32> -> vector<8xf64>
                  %349 = cloop.load %row_2[%j_2 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                  %350 = cloop.compute "add"(%349, %348) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                  cloop.store %350 into %row_2[%j_2] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
                }
                cloop.for[%302, %303 : i64, i64] <(d0, d1) -> (d0 * 8, d1)> step 8 {
                ^bb0(%j_3: index):
                  %351 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2)> : !cloop.ptr<f32, "const"> -> f32
                  %352 = cloop.constant 0.000000e+00 : f32
                  %353 = cloop.broadcast %352 : f32 -> vector<8xf32>
                  %354 = cloop.partial_load %w[%block, %k_7, %j_3, %303] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(-d2 + d3, 8))> else %353 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %355 = cloop.broadcast %351 : f32 -> vector<8xf32>
                  %356 = cloop.compute "mul"(%355, %354) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %357 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 1)> : !cloop.ptr<f32, "const"> -> f32
                  %358 = cloop.constant 0.000000e+00 : f32
                  %359 = cloop.broadcast %358 : f32 -> vector<8xf32>
                  %360 = cloop.partial_load %w[%block, %k_7, %j_3, %303] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m, 0, min(-d2 + d3, 8))> else %359 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %361 = cloop.broadcast %357 : f32 -> vector<8xf32>
                  %362 = cloop.compute "mul"(%361, %360) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %363 = cloop.compute "add"(%356, %362) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %364 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 2)> : !cloop.ptr<f32, "const"> -> f32
                  %365 = cloop.constant 0.000000e+00 : f32
                  %366 = cloop.broadcast %365 : f32 -> vector<8xf32>
                  %367 = cloop.partial_load %w[%block, %k_7, %j_3, %303] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 2, 0, min(-d2 + d3, 8))> else %366 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %368 = cloop.broadcast %364 : f32 -> vector<8xf32>
                  %369 = cloop.compute "mul"(%368, %367) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %370 = cloop.compute "add"(%363, %369) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %371 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 3)> : !cloop.ptr<f32, "const"> -> f32
                  %372 = cloop.constant 0.000000e+00 : f32
                  %373 = cloop.broadcast %372 : f32 -> vector<8xf32>
                  %374 = cloop.partial_load %w[%block, %k_7, %j_3, %303] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 3, 0, min(-d2 + d3, 8))> else %373 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %375 = cloop.broadcast %371 : f32 -> vector<8xf32>
                  %376 = cloop.compute "mul"(%375, %374) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %377 = cloop.compute "add"(%370, %376) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %378 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 4)> : !cloop.ptr<f32, "const"> -> f32
                  %379 = cloop.constant 0.000000e+00 : f32
                  %380 = cloop.broadcast %379 : f32 -> vector<8xf32>
                  %381 = cloop.partial_load %w[%block, %k_7, %j_3, %303] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 4, 0, min(-d2 + d3, 8))> else %380 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %382 = cloop.broadcast %378 : f32 -> vector<8xf32>
                  %383 = cloop.compute "mul"(%382, %381) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %384 = cloop.compute "add"(%377, %383) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %385 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 5)> : !cloop.ptr<f32, "const"> -> f32
                  %386 = cloop.constant 0.000000e+00 : f32
                  %387 = cloop.broadcast %386 : f32 -> vector<8xf32>
                  %388 = cloop.partial_load %w[%block, %k_7, %j_3, %303] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 5, 0, min(-d2 + d3, 8))> else %387 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %389 = cloop.broadcast %385 : f32 -> vector<8xf32>
                  %390 = cloop.compute "mul"(%389, %388) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %391 = cloop.compute "add"(%384, %390) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %392 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 6)> : !cloop.ptr<f32, "const"> -> f32
                  %393 = cloop.constant 0.000000e+00 : f32
                  %394 = cloop.broadcast %393 : f32 -> vector<8xf32>
                  %395 = cloop.partial_load %w[%block, %k_7, %j_3, %303] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 6, 0, min(-d2 + d3, 8))> else %394 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %396 = cloop.broadcast %392 : f32 -> vector<8xf32>
                  %397 = cloop.compute "mul"(%396, %395) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %398 = cloop.compute "add"(%391, %397) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %399 = cloop.load %x[%strip, %i, %k_7 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2 + 7)> : !cloop.ptr<f32, "const"> -> f32
                  %400 = cloop.constant 0.000000e+00 : f32
                  %401 = cloop.broadcast %400 : f32 -> vector<8xf32>
                  %402 = cloop.partial_load %w[%block, %k_7, %j_3, %303] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2 + m * 7, 0, min(-d2 + d3, 8))> else %401 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %403 = cloop.broadcast %399 : f32 -> vector<8xf32>
                  %404 = cloop.compute "mul"(%403, %402) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %405 = cloop.compute "add"(%398, %404) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %406 = cloop.cast %405 : vector<8xf32> -> vector<8xf64>
                  %407 = cloop.constant 0.000000e+00 : f64
                  %408 = cloop.broadcast %407 : f64 -> vector<8xf64>
                  %409 = cloop.partial_load %row_2[%j_3, %303] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %408 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                  %410 = cloop.compute "add"(%409, %406) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                  cloop.partial_store %410 into %row_2[%j_3, %303] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
                }
              }
              cloop.for[%2 : i64] <(d0) -> (d0 * 8, k)> step 1 {
              ^bb0(%k_8: index):
                cloop.for[%302 : i64] <(d0) -> (0, d0 * 8)> step 8 {
                ^bb0(%j_4: index):
                  %411 = cloop.load %x[%strip, %i, %k_8 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2)> : !cloop.ptr<f32, "const"> -> f32
                  %412 = cloop.load %w[%block, %k_8, %j_4 : index, index, index] <(d0, d1, d2) -> (d0 + d1 * m + d2)> : !cloop.ptr<f32, "const"> -> vector<8xf32>
                  %413 = cloop.broadcast %411 : f32 -> vector<8xf32>
                  %414 = cloop.compute "mul"(%413, %412) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %415 = cloop.cast %414 : vector<8xf32> -> vector<8xf64>
                  %416 = cloop.load %row_2[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                  %417 = cloop.compute "add"(%416, %415) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                  cloop.store %417 into %row_2[%j_4] <(d0) -> (d0)> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index
                }
                cloop.for[%302, %303 : i64, i64] <(d0, d1) -> (d0 * 8, d1)> step 8 {
                ^bb0(%j_5: index):
                  %418 = cloop.load %x[%strip, %i, %k_8 : index, index, index] <(d0, d1, d2) -> (d0 * k * 64 + d1 * k + d2)> : !cloop.ptr<f32, "const"> -> f32
                  %419 = cloop.constant 0.000000e+00 : f32
                  %420 = cloop.broadcast %419 : f32 -> vector<8xf32>
                  %421 = cloop.partial_load %w[%block, %k_8, %j_5, %303] <(d0, d1, d2, d3) -> (d0 + d1 * m + d2, 0, min(-d2 + d3, 8))> else %420 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<8xf32>) -> vector<8xf32>
                  %422 = cloop.broadcast %418 : f32 -> vector<8xf32>
                  %423 = cloop.compute "mul"(%422, %421) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
                  %424 = cloop.cast %423 : vector<8xf32> -> vector<8xf64>
                  %425 = cloop.constant 0.000000e+00 : f64
                  %426 = cloop.broadcast %425 : f64 -> vector<8xf64>
                  %427 = cloop.partial_load %row_2[%j_5, %303] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %426 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                  %428 = cloop.compute "add"(%427, %424) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                  cloop.partial_store %428 into %row_2[%j_5, %303] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> : vector<8xf64>, !cloop.ptr<f64, "restrict">, index, i64
                }
              }
              cloop.for[%block : index] <(d0) -> (0, (min(-d0 + m, 2048) div 8) * 8)> step 8 {
              ^bb0(%j_6: index):
                %429 = cloop.load %row_2[%j_6 : index] <(d0) -> (d0)> : !cloop.ptr<f64, "restrict"> -> vector<8xf64>
                %430 = cloop.cast %429 : vector<8xf64> -> vector<8xf32>
                cloop.store %430 into %strip_1[%i, %block, %j_6] <(d0, d1, d2) -> (d0 * m + d1 + d2)> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index
              }
              cloop.for[%block : index] <(d0) -> ((min(-d0 + m, 2048) div 8) * 8, min(-d0 + m, 2048))> step 8 {
              ^bb0(%j_7: index):
                %431 = cloop.constant 0.000000e+00 : f64
                %432 = cloop.broadcast %431 : f64 -> vector<8xf64>
                %433 = cloop.partial_load %row_2[%j_7, %303] <(d0, d1) -> (d0, 0, min(-d0 + d1, 8))> else %432 : (!cloop.ptr<f64, "restrict">, index, i64, vector<8xf64>) -> vector<8xf64>
                %434 = cloop.cast %433 : vector<8xf64> -> vector<8xf32>
                cloop.partial_store %434 into %strip_1[%i, %block, %j_7, %303] <(d0, d1, d2, d3) -> (d0 * m + d1 + d2, 0, min(-d2 + d3, 8))> : vector<8xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
              }
            }
          }
        }
        cloop.for[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i_1: index):
          %435 = cloop.thread : i64
          %436 = cloop.offset %26[%435, %11] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %437 = cloop.constant 0xff800000 : f32
          %438 = cloop.constant 0.000000e+00 : f32
          %439 = cloop.broadcast %438 : f32 -> vector<16xf32>
          %partial0x0 = cloop.variable %439 : vector<16xf32> -> vector<16xf32>
          %partial1x0 = cloop.variable %439 : vector<16xf32> -> vector<16xf32>
          %partial2x0 = cloop.variable %439 : vector<16xf32> -> vector<16xf32>
          %partial3x0 = cloop.variable %439 : vector<16xf32> -> vector<16xf32>
          %440 = cloop.broadcast %437 : f32 -> vector<16xf32>
          cloop.assign %partial0x0, %440 : vector<16xf32>, vector<16xf32>
          %441 = cloop.broadcast %437 : f32 -> vector<16xf32>
          cloop.assign %partial1x0, %441 : vector<16xf32>, vector<16xf32>
          %442 = cloop.broadcast %437 : f32 -> vector<16xf32>
          cloop.assign %partial2x0, %442 : vector<16xf32>, vector<16xf32>
          %443 = cloop.broadcast %437 : f32 -> vector<16xf32>
          cloop.assign %partial3x0, %443 : vector<16xf32>, vector<16xf32>
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 64 {
          ^bb0(%j_8: index):
            %444 = cloop.load %strip_1[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %445 = cloop.load %b[%j_8 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %446 = cloop.compute "add"(%444, %445) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %447 = cloop.constant 0.000000e+00 : f32
            %448 = cloop.broadcast %447 : f32 -> vector<16xf32>
            %449 = cloop.compute "max"(%446, %448) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %450 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
            %451 = cloop.compute "max"(%450, %449) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0, %451 : vector<16xf32>, vector<16xf32>
            %452 = cloop.load %strip_1[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %453 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %454 = cloop.compute "add"(%452, %453) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %455 = cloop.constant 0.000000e+00 : f32
            %456 = cloop.broadcast %455 : f32 -> vector<16xf32>
            %457 = cloop.compute "max"(%454, %456) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %458 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
            %459 = cloop.compute "max"(%458, %457) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial1x0, %459 : vector<16xf32>, vector<16xf32>
            %460 = cloop.load %strip_1[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %461 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %462 = cloop.compute "add"(%460, %461) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %463 = cloop.constant 0.000000e+00 : f32
            %464 = cloop.broadcast %463 : f32 -> vector<16xf32>
            %465 = cloop.compute "max"(%462, %464) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %466 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
            %467 = cloop.compute "max"(%466, %465) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial2x0, %467 : vector<16xf32>, vector<16xf32>
            %468 = cloop.load %strip_1[%i_1, %j_8 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %469 = cloop.load %b[%j_8 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
            %470 = cloop.compute "add"(%468, %469) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %471 = cloop.constant 0.000000e+00 : f32
            %472 = cloop.broadcast %471 : f32 -> vector<16xf32>
            %473 = cloop.compute "max"(%470, %472) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %474 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
            %475 = cloop.compute "max"(%474, %473) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial3x0, %475 : vector<16xf32>, vector<16xf32>
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_9: index):
            %476 = cloop.constant 0.000000e+00 : f32
            %477 = cloop.broadcast %476 : f32 -> vector<16xf32>
            %478 = cloop.partial_load %strip_1[%i_1, %j_9] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %477 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %479 = cloop.constant 0.000000e+00 : f32
            %480 = cloop.broadcast %479 : f32 -> vector<16xf32>
            %481 = cloop.partial_load %b[%j_9] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %480 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %482 = cloop.compute "add"(%478, %481) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %483 = cloop.constant 0.000000e+00 : f32
            %484 = cloop.broadcast %483 : f32 -> vector<16xf32>
            %485 = cloop.compute "max"(%482, %484) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %486 = cloop.index[] <() -> (0)> : () -> i64
            %487 = cloop.index[%j_9] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %488 = cloop.lanes 0 : vector<16xi32>
            %489 = cloop.cast %486 : i64 -> i32
            %490 = cloop.cast %487 : i64 -> i32
            %491 = cloop.broadcast %489 : i32 -> vector<16xi32>
            %492 = cloop.compute "ge"(%488, %491) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %493 = cloop.broadcast %490 : i32 -> vector<16xi32>
            %494 = cloop.compute "lt"(%488, %493) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %495 = cloop.compute "and"(%492, %494) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %496 = cloop.broadcast %437 : f32 -> vector<16xf32>
            %497 = cloop.compute "select"(%495, %485, %496) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %498 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
            %499 = cloop.compute "max"(%498, %497) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0, %499 : vector<16xf32>, vector<16xf32>
          }
          %500 = cloop.variable %partial1x0 : vector<16xf32> -> vector<16xf32>
          %501 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %502 = cloop.compute "max"(%501, %500) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %502 : vector<16xf32>, vector<16xf32>
          %503 = cloop.variable %partial2x0 : vector<16xf32> -> vector<16xf32>
          %504 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %505 = cloop.compute "max"(%504, %503) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %505 : vector<16xf32>, vector<16xf32>
          %506 = cloop.variable %partial3x0 : vector<16xf32> -> vector<16xf32>
          %507 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %508 = cloop.compute "max"(%507, %506) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0, %508 : vector<16xf32>, vector<16xf32>
          %509 = cloop.variable %partial0x0 : vector<16xf32> -> vector<16xf32>
          %510 = cloop.fold "max" %509 : vector<16xf32> -> f32
          %511 = cloop.compute "max"(%437, %510) : (f32, f32) -> f32
          %512 = cloop.constant 0.000000e+00 : f64
          %513 = cloop.constant 0.000000e+00 : f32
          %514 = cloop.broadcast %513 : f32 -> vector<16xf32>
          %partial0x0_1 = cloop.variable %514 : vector<16xf32> -> vector<16xf32>
          %partial1x0_1 = cloop.variable %514 : vector<16xf32> -> vector<16xf32>
          %partial2x0_1 = cloop.variable %514 : vector<16xf32> -> vector<16xf32>
          %partial3x0_1 = cloop.variable %514 : vector<16xf32> -> vector<16xf32>
          %515 = cloop.constant 0.000000e+00 : f64
          %516 = cloop.broadcast %515 : f64 -> vector<8xf64>
          %partial0 = cloop.variable %516 : vector<8xf64> -> vector<8xf64>
          %partial0_1 = cloop.variable %516 : vector<8xf64> -> vector<8xf64>
          %517 = cloop.constant 0.000000e+00 : f32
          %518 = cloop.broadcast %517 : f32 -> vector<16xf32>
          cloop.assign %partial0x0_1, %518 : vector<16xf32>, vector<16xf32>
          %519 = cloop.constant 0.000000e+00 : f32
          %520 = cloop.broadcast %519 : f32 -> vector<16xf32>
          cloop.assign %partial1x0_1, %520 : vector<16xf32>, vector<16xf32>
          %521 = cloop.constant 0.000000e+00 : f32
          %522 = cloop.broadcast %521 : f32 -> vector<16xf32>
          cloop.assign %partial2x0_1, %522 : vector<16xf32>, vector<16xf32>
          %523 = cloop.constant 0.000000e+00 : f32
          %524 = cloop.broadcast %523 : f32 -> vector<16xf32>
          cloop.assign %partial3x0_1, %524 : vector<16xf32>, vector<16xf32>
          %525 = cloop.broadcast %512 : f64 -> vector<8xf64>
          cloop.assign %partial0, %525 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial0_1, %525 : vector<8xf64>, vector<8xf64>
          cloop.for[%1 : i64] <(d0) -> (0, d0 * 64)> step 1024 {
          ^bb0(%chunk: index):
            cloop.for[%chunk, %1 : index, i64] <(d0, d1) -> (d0, min(d0 + 1024, d1 * 64))> step 64 {
            ^bb0(%j_10: index):
              %526 = cloop.load %strip_1[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %527 = cloop.load %b[%j_10 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %528 = cloop.compute "add"(%526, %527) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %529 = cloop.constant 0.000000e+00 : f32
              %530 = cloop.broadcast %529 : f32 -> vector<16xf32>
              %531 = cloop.compute "max"(%528, %530) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %532 = cloop.broadcast %511 : f32 -> vector<16xf32>
              %533 = cloop.compute "sub"(%531, %532) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %534 = cloop.compute "exp"(%533) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %534 into %436[%j_10] <(d0) -> (d0)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %535 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
              %536 = cloop.compute "add"(%535, %534) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial0x0_1, %536 : vector<16xf32>, vector<16xf32>
              %537 = cloop.load %strip_1[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %538 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %539 = cloop.compute "add"(%537, %538) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %540 = cloop.constant 0.000000e+00 : f32
              %541 = cloop.broadcast %540 : f32 -> vector<16xf32>
              %542 = cloop.compute "max"(%539, %541) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %543 = cloop.broadcast %511 : f32 -> vector<16xf32>
              %544 = cloop.compute "sub"(%542, %543) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %545 = cloop.compute "exp"(%544) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %545 into %436[%j_10] <(d0) -> (d0 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %546 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
              %547 = cloop.compute "add"(%546, %545) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial1x0_1, %547 : vector<16xf32>, vector<16xf32>
              %548 = cloop.load %strip_1[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %549 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 32)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %550 = cloop.compute "add"(%548, %549) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %551 = cloop.constant 0.000000e+00 : f32
              %552 = cloop.broadcast %551 : f32 -> vector<16xf32>
              %553 = cloop.compute "max"(%550, %552) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %554 = cloop.broadcast %511 : f32 -> vector<16xf32>
              %555 = cloop.compute "sub"(%553, %554) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %556 = cloop.compute "exp"(%555) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %556 into %436[%j_10] <(d0) -> (d0 + 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %557 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
              %558 = cloop.compute "add"(%557, %556) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial2x0_1, %558 : vector<16xf32>, vector<16xf32>
              %559 = cloop.load %strip_1[%i_1, %j_10 : index, index] <(d0, d1) -> (d0 * m + d1 + 48)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %560 = cloop.load %b[%j_10 : index] <(d0) -> (d0 + 48)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
              %561 = cloop.compute "add"(%559, %560) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %562 = cloop.constant 0.000000e+00 : f32
              %563 = cloop.broadcast %562 : f32 -> vector<16xf32>
              %564 = cloop.compute "max"(%561, %563) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %565 = cloop.broadcast %511 : f32 -> vector<16xf32>
              %566 = cloop.compute "sub"(%564, %565) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %567 = cloop.compute "exp"(%566) : (vector<16xf32>) -> vector<16xf32>
              cloop.store %567 into %436[%j_10] <(d0) -> (d0 + 48)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
              %568 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
              %569 = cloop.compute "add"(%568, %567) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.assign %partial3x0_1, %569 : vector<16xf32>, vector<16xf32>
            }
            %570 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
            %571 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %572 = cloop.compute "add"(%571, %570) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %572 : vector<16xf32>, vector<16xf32>
            %573 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
            %574 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %575 = cloop.compute "add"(%574, %573) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %575 : vector<16xf32>, vector<16xf32>
            %576 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
            %577 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %578 = cloop.compute "add"(%577, %576) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %578 : vector<16xf32>, vector<16xf32>
            %579 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %580 = cloop.shuffle %579 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %581 = cloop.shuffle %579 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %582 = cloop.cast %580 : vector<8xf32> -> vector<8xf64>
            %583 = cloop.cast %581 : vector<8xf32> -> vector<8xf64>
            %584 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
            %585 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
            %586 = cloop.compute "add"(%584, %582) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %587 = cloop.compute "add"(%585, %583) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial0, %586 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial0_1, %587 : vector<8xf64>, vector<8xf64>
            %588 = cloop.constant 0.000000e+00 : f32
            %589 = cloop.broadcast %588 : f32 -> vector<16xf32>
            cloop.assign %partial0x0_1, %589 : vector<16xf32>, vector<16xf32>
            %590 = cloop.constant 0.000000e+00 : f32
            %591 = cloop.broadcast %590 : f32 -> vector<16xf32>
            cloop.assign %partial1x0_1, %591 : vector<16xf32>, vector<16xf32>
            %592 = cloop.constant 0.000000e+00 : f32
            %593 = cloop.broadcast %592 : f32 -> vector<16xf32>
            cloop.assign %partial2x0_1, %593 : vector<16xf32>, vector<16xf32>
            %594 = cloop.constant 0.000000e+00 : f32
            %595 = cloop.broadcast %594 : f32 -> vector<16xf32>
            cloop.assign %partial3x0_1, %595 : vector<16xf32>, vector<16xf32>
          }
          cloop.for[%1 : i64] <(d0) -> (d0 * 64, m)> step 16 {
          ^bb0(%j_11: index):
            %596 = cloop.constant 0.000000e+00 : f32
            %597 = cloop.broadcast %596 : f32 -> vector<16xf32>
            %598 = cloop.partial_load %strip_1[%i_1, %j_11] <(d0, d1) -> (d0 * m + d1, 0, min(-d1 + m, 16))> else %597 : (!cloop.ptr<f32, "restrict">, index, index, vector<16xf32>) -> vector<16xf32>
            %599 = cloop.constant 0.000000e+00 : f32
            %600 = cloop.broadcast %599 : f32 -> vector<16xf32>
            %601 = cloop.partial_load %b[%j_11] <(d0) -> (d0, 0, min(-d0 + m, 16))> else %600 : (!cloop.ptr<f32, "const">, index, vector<16xf32>) -> vector<16xf32>
            %602 = cloop.compute "add"(%598, %601) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %603 = cloop.constant 0.000000e+00 : f32
            %604 = cloop.broadcast %603 : f32 -> vector<16xf32>
            %605 = cloop.compute "max"(%602, %604) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %606 = cloop.broadcast %511 : f32 -> vector<16xf32>
            %607 = cloop.compute "sub"(%605, %606) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %608 = cloop.compute "exp"(%607) : (vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %608 into %436[%j_11] <(d0) -> (d0, 0, min(-d0 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
            %609 = cloop.index[] <() -> (0)> : () -> i64
            %610 = cloop.index[%j_11] <(d0) -> (min(16, min(-d0 + m, 16)))> : (index) -> i64
            %611 = cloop.lanes 0 : vector<16xi32>
            %612 = cloop.cast %609 : i64 -> i32
            %613 = cloop.cast %610 : i64 -> i32
            %614 = cloop.broadcast %612 : i32 -> vector<16xi32>
            %615 = cloop.compute "ge"(%611, %614) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %616 = cloop.broadcast %613 : i32 -> vector<16xi32>
            %617 = cloop.compute "lt"(%611, %616) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
            %618 = cloop.compute "and"(%615, %617) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
            %619 = cloop.compute "select"(%618, %608, %604) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            %620 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
            %621 = cloop.compute "add"(%620, %619) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.assign %partial0x0_1, %621 : vector<16xf32>, vector<16xf32>
          }
          %622 = cloop.variable %partial1x0_1 : vector<16xf32> -> vector<16xf32>
          %623 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %624 = cloop.compute "add"(%623, %622) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %624 : vector<16xf32>, vector<16xf32>
          %625 = cloop.variable %partial2x0_1 : vector<16xf32> -> vector<16xf32>
          %626 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %627 = cloop.compute "add"(%626, %625) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %627 : vector<16xf32>, vector<16xf32>
          %628 = cloop.variable %partial3x0_1 : vector<16xf32> -> vector<16xf32>
          %629 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %630 = cloop.compute "add"(%629, %628) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
          cloop.assign %partial0x0_1, %630 : vector<16xf32>, vector<16xf32>
          %631 = cloop.variable %partial0x0_1 : vector<16xf32> -> vector<16xf32>
          %632 = cloop.shuffle %631 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
          %633 = cloop.shuffle %631 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
          %634 = cloop.cast %632 : vector<8xf32> -> vector<8xf64>
          %635 = cloop.cast %633 : vector<8xf32> -> vector<8xf64>
          %636 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
          %637 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
          %638 = cloop.compute "add"(%636, %634) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %639 = cloop.compute "add"(%637, %635) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          cloop.assign %partial0, %638 : vector<8xf64>, vector<8xf64>
          cloop.assign %partial0_1, %639 : vector<8xf64>, vector<8xf64>
          %640 = cloop.variable %partial0 : vector<8xf64> -> vector<8xf64>
          %641 = cloop.variable %partial0_1 : vector<8xf64> -> vector<8xf64>
          %642 = cloop.compute "add"(%640, %641) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
          %643 = cloop.fold "add" %642 : vector<8xf64> -> f64
          %644 = cloop.compute "add"(%512, %643) : (f64, f64) -> f64
          %645 = cloop.cast %644 : f64 -> f32
          cloop.for[%0 : i64] <(d0) -> (0, d0 * 16)> step 16 {
          ^bb0(%j_12: index):
            %646 = cloop.load %436[%j_12 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
            %647 = cloop.broadcast %645 : f32 -> vector<16xf32>
            %648 = cloop.compute "div"(%646, %647) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.store %648 into %out[%strip, %i_1, %j_12] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
          cloop.for[%0 : i64] <(d0) -> (d0 * 16, m)> step 16 {
          ^bb0(%j_13: index):
            %649 = cloop.constant 0.000000e+00 : f32
            %650 = cloop.broadcast %649 : f32 -> vector<16xf32>
            %651 = cloop.partial_load %436[%j_13] <(d0) -> (d0, 0, -d0 + m)> else %650 : (!cloop.ptr<f32, "restrict">, index, vector<16xf32>) -> vector<16xf32>
            %652 = cloop.broadcast %645 : f32 -> vector<16xf32>
            %653 = cloop.compute "div"(%651, %652) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
            cloop.partial_store %653 into %out[%strip, %i_1, %j_13] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2, 0, -d2 + m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
          }
        }
      }
    }
    func.return
  }
}
