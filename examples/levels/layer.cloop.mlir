builtin.module {
  func.func @layer(%x: !cloop.ptr<f32, "const">, %w: !cloop.ptr<f32, "const">, %b: !cloop.ptr<f32, "const">, %out: !cloop.ptr<f32, "restrict">) attributes {sw.params = ["n", "k", "m"], sw.inputs = 3 : i64, sw.types = [memref<?x?xf32, {shape = #sw.shape<[n, k]>}>, memref<?x?xf32, {shape = #sw.shape<[k, m]>}>, memref<?xf32, {shape = #sw.shape<[m]>}>, memref<?x?xf32, {shape = #sw.shape<[n, m]>}>]} {
    %0 = cloop.index[] <() -> (((m + 4095) floordiv 4096 + 15) floordiv 16)> : () -> i64
    %1 = cloop.index[] <() -> (min((m + 31) div 32, 64))> : () -> i64
    %2 = cloop.index[] <() -> (max(1, k))> : () -> i64
    %3 = cloop.index[] <() -> (min((m + 31) floordiv 32, 64))> : () -> i64
    %4 = cloop.index[] <() -> ((min(64, n) + 7) floordiv 8)> : () -> i64
    %5 = cloop.index[] <() -> ((m * min(64, n) + 15) floordiv 16)> : () -> i64
    %6 = cloop.index[] <() -> (m floordiv 16)> : () -> i64
    %7 = cloop.index[] <() -> (m floordiv 64)> : () -> i64
    %8 = cloop.index[] <() -> ((m floordiv 64 + 15) floordiv 16)> : () -> i64
    %9 = cloop.index[] <() -> ((m + 62) floordiv 64)> : () -> i64
    %10 = cloop.index[] <() -> ((m + 15) floordiv 16)> : () -> i64
    %11 = cloop.index[] <() -> ((-m + min(4096, m) + 1) floordiv 64)> : () -> i64
    %12 = cloop.index[] <() -> ((m + 4095) floordiv 4096)> : () -> i64
    %13 = cloop.index[] <() -> ((-m + min(4096, m) + 1) floordiv 16)> : () -> i64
    %14 = cloop.index[] <() -> ((n + 63) floordiv 64)> : () -> i64
    %15 = cloop.index[] <() -> ((max(1, k) + 255) floordiv 256)> : () -> i64
    %16 = cloop.index[] <() -> (((m + 31) floordiv 32 + 63) floordiv 64)> : () -> i64
    %17 = cloop.index[] <() -> (min(256, k))> : () -> i64
    %18 = cloop.index[] <() -> ((m + 31) floordiv 32)> : () -> i64
    %19 = cloop.index[] <() -> ((k + 255) floordiv 256)> : () -> i64
    %20 = cloop.index[] <() -> ((m + 31) div 32)> : () -> i64
    %21 = cloop.index[] <() -> ((n + 63) div 64)> : () -> i64
    %22 = cloop.arena <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64 + ((m * min(64, n) + 15) floordiv 16) * 64 + ((m + 15) floordiv 16) * 64 + ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024 + 1024)> : !cloop.ptr<i8, "">
    %slot = cloop.slice %22 <() -> (((k + 255) floordiv 256) * ((m + 31) floordiv 32) * 32768, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_1 = cloop.slice %slot <() -> (0, (((m + 4095) floordiv 4096 + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_2 = cloop.slice %slot_1 <() -> (0, ((m + 15) floordiv 16) * 64)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_3 = cloop.slice %slot_2 <() -> (0, 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %slot_4 = cloop.slice %slot_3 <() -> (0, ((min(64, n) + 7) floordiv 8) * min((m + 31) floordiv 32, 64) * 1024)> : !cloop.ptr<i8, ""> -> !cloop.ptr<i8, "">
    %23 = cloop.slice %slot <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %24 = cloop.slice %slot_1 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %25 = cloop.slice %slot_2 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %26 = cloop.slice %slot_3 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %27 = cloop.slice %slot_4 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    %right = cloop.slice %22 <() -> (0, 0)> : !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">
    cloop.block {
      %28 = cloop.test[%21] <(d0) -> (d0 - 1)> : (i64) -> i1
      cloop.if %28 {
        cloop.for[%20, %19, %18, %17 : i64, i64, i64, i64] <(d0, d1, d2, d3) -> (0, d0)> step 1 threads <(d0, d1, d2, d3) -> (d1 * d2 * d3 * 64 - 32768)> collapse 2 {
        ^bb0(%panel: index):
          cloop.for <() -> (0, k)> step 256 {
          ^bb0(%depth: index):
            %29 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m - 16, 16))> : (index) -> i64
            %30 = cloop.index[%panel] <(d0) -> (min(-d0 * 32 + m, 16))> : (index) -> i64
            %31 = cloop.index[%depth] <(d0) -> (d0 div 256)> : (index) -> i64
            %32 = cloop.index[%depth] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            %33 = cloop.test[%panel] <(d0) -> (-d0 * 32 + m - 32)> : (index) -> i1
            cloop.if %33 {
              cloop.for[%32 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k: index):
                %34 = cloop.load %w[%panel, %depth, %k : index, index, index] <(d0, d1, d2) -> (d0 * 32 + d1 * m + d2 * m)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %34 into %right[%panel, %k, %20, %31] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %35 = cloop.load %w[%panel, %depth, %k : index, index, index] <(d0, d1, d2) -> (d0 * 32 + d1 * m + d2 * m + 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                cloop.store %35 into %right[%panel, %k, %20, %31] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            } else {
              cloop.for[%32 : i64] <(d0) -> (0, d0)> step 1 {
              ^bb0(%k_1: index):
                %36 = cloop.constant 0.000000e+00 : f32
                %37 = cloop.broadcast %36 : f32 -> vector<16xf32>
                %38 = cloop.partial_load %w[%panel, %depth, %k_1, %30] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m, 0, d3)> else %37 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %38 into %right[%panel, %k_1, %20, %31] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
                %39 = cloop.constant 0.000000e+00 : f32
                %40 = cloop.broadcast %39 : f32 -> vector<16xf32>
                %41 = cloop.partial_load %w[%panel, %depth, %k_1, %29] <(d0, d1, d2, d3) -> (d0 * 32 + d1 * m + d2 * m + 16, 0, d3)> else %40 : (!cloop.ptr<f32, "const">, index, index, index, i64, vector<16xf32>) -> vector<16xf32>
                cloop.store %41 into %right[%panel, %k_1, %20, %31] <(d0, d1, d2, d3) -> (d0 * 8192 + d1 * 32 + d2 * d3 * 8192 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, i64, i64
              }
            }
          }
        }
      }
      cloop.for[%21, %16, %15, %14, %17, %13, %12, %11, %10, %9, %8, %7, %6 : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64] <(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12) -> (0, d0)> step 1 threads <(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12) -> (d1 * d2 * d3 * 98304 + d1 * d2 * d3 * d4 * 18432 - d3 * d5 * d6 * 1024 + d3 * d6 * 15360 - d3 * d6 * d7 * 8192 + d3 * d6 * d8 * 3072 + d3 * d6 * d9 * d10 * 4096 + d3 * d6 * d10 * 8192 + d3 * d6 * d10 * d11 * 4096 + d3 * d6 * d11 * 4096 + d3 * d6 * d12 * 1024 - 32768)> {
      ^bb0(%strip: index):
        %42 = cloop.index[%strip] <(d0) -> (min(-d0 * 64 + n, 64))> : (index) -> i64
        %43 = cloop.index[%strip] <(d0) -> ((min(-d0 * 64 + n, 64) + 7) floordiv 8)> : (index) -> i64
        %44 = cloop.thread : i64
        %strip_1 = cloop.offset %27[%44, %5] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
        %45 = cloop.thread : i64
        %kept = cloop.offset %26[%45, %4, %3] <(d0, d1, d2) -> (d0 * d1 * d2 * 256)> : (!cloop.ptr<f32, "restrict">, i64, i64, i64) -> !cloop.ptr<f32, "restrict">
        cloop.for[%20 : i64] <(d0) -> (0, d0)> step 64 {
        ^bb0(%columns: index):
          %46 = cloop.index[%columns, %20] <(d0, d1) -> (min(-d0 + d1, 64))> : (index, i64) -> i64
          %47 = cloop.index[%columns, %20] <(d0, d1) -> ((min(-d0 + d1, 64) + 3) div 4)> : (index, i64) -> i64
          cloop.for[%2 : i64] <(d0) -> (0, d0)> step 256 {
          ^bb0(%deep: index):
            %48 = cloop.index[%deep] <(d0) -> (d0 div 256)> : (index) -> i64
            %49 = cloop.index[%deep] <(d0) -> (min(-d0 + k, 256))> : (index) -> i64
            cloop.for[%43 : i64] <(d0) -> (0, d0)> step 256 {
            ^bb0(%rows: index):
              %50 = cloop.index[%rows, %43] <(d0, d1) -> (min(-d0 + d1, 256))> : (index, i64) -> i64
              cloop.for[%rows, %47, %43 : index, i64, i64] <(d0, d1, d2) -> (0, d1 * ((min(-d0 + d2, 256) + 15) floordiv 16))> step 1 {
              ^bb0(%group: index):
                %51 = cloop.index[%group, %47, %50] <(d0, d1, d2) -> (min((d0 div d1) * 16 + 16, d2))> : (index, i64, i64) -> i64
                %52 = cloop.index[%group, %47] <(d0, d1) -> (d0 floordiv d1)> : (index, i64) -> i64
                cloop.for[%group, %47, %46 : index, i64, i64] <(d0, d1, d2) -> ((d0 rem d1) * 4, min((d0 rem d1) * 4 + 4, d2))> step 1 {
                ^bb0(%p: index):
                  cloop.for[%52, %51 : i64, i64] <(d0, d1) -> (d0 * 16, d1)> step 1 {
                  ^bb0(%q: index):
                    %53 = cloop.index[%rows, %q, %42] <(d0, d1, d2) -> (min(-d0 * 8 - d1 * 8 + d2, 8))> : (index, index, i64) -> i64
                    %tile = cloop.registers : !cloop.registers<16, vector<16xf32>>
                    %54 = cloop.constant 0.000000e+00 : f32
                    cloop.for <() -> (0, 8)> step 1 unroll {
                    ^bb0(%row: index):
                      %55 = cloop.broadcast %54 : f32 -> vector<16xf32>
                      cloop.set %tile[%row] <(d0) -> (d0 * 2)>, %55 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                      %56 = cloop.broadcast %54 : f32 -> vector<16xf32>
                      cloop.set %tile[%row] <(d0) -> (d0 * 2 + 1)>, %56 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                    }
                    %held = cloop.registers : !cloop.registers<2, vector<16xf32>>
                    cloop.for[%49 : i64] <(d0) -> (0, d0)> step 1 {
                    ^bb0(%k_2: index):
                      %57 = cloop.load %right[%columns, %p, %k_2, %20, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.set %held[] <() -> (0)>, %57 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
                      %58 = cloop.load %right[%columns, %p, %k_2, %20, %48 : index, index, index, i64, i64] <(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 8192 + d2 * 32 + d3 * d4 * 8192 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                      cloop.set %held[] <() -> (1)>, %58 : !cloop.registers<2, vector<16xf32>>, vector<16xf32>
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_1: index):
                        %59 = cloop.load %x[%strip, %deep, %rows, %q, %k_2, %row_1, %42 : index, index, index, index, index, index, i64] <(d0, d1, d2, d3, d4, d5, d6) -> (d0 * k * 64 + d1 + d4 + k * min(d2 * 8 + d3 * 8 + d5, d6 - 1))> : !cloop.ptr<f32, "const"> -> f32
                        %60 = cloop.get %tile[%row_1 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %61 = cloop.get %held <() -> (0)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                        %62 = cloop.broadcast %59 : f32 -> vector<16xf32>
                        %63 = cloop.compute "fma"(%62, %61, %60) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_1] <(d0) -> (d0 * 2)>, %63 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                        %64 = cloop.get %tile[%row_1 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %65 = cloop.get %held <() -> (1)> : !cloop.registers<2, vector<16xf32>> -> vector<16xf32>
                        %66 = cloop.broadcast %59 : f32 -> vector<16xf32>
                        %67 = cloop.compute "fma"(%66, %65, %64) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_1] <(d0) -> (d0 * 2 + 1)>, %67 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                      }
                    }
                    %68 = cloop.test[%deep] <(d0) -> (d0 - 1)> : (index) -> i1
                    cloop.if %68 {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_2: index):
                        %69 = cloop.load %kept[%rows, %p, %q, %row_2, %1 : index, index, index, index, i64] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %70 = cloop.get %tile[%row_2 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %71 = cloop.compute "add"(%70, %69) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_2] <(d0) -> (d0 * 2)>, %71 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                        %72 = cloop.load %kept[%rows, %p, %q, %row_2, %1 : index, index, index, index, i64] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32 + 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                        %73 = cloop.get %tile[%row_2 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        %74 = cloop.compute "add"(%73, %72) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                        cloop.set %tile[%row_2] <(d0) -> (d0 * 2 + 1)>, %74 : !cloop.registers<16, vector<16xf32>>, index, vector<16xf32>
                      }
                    }
                    %75 = cloop.test[%deep] <(d0) -> (d0 - k + 256)> : (index) -> i1
                    cloop.if %75 {
                      %76 = cloop.test[%columns, %rows, %p, %q, %42] <(d0, d1, d2, d3, d4) -> (-d1 * 8 - d3 * 8 + d4 - 8, -d0 * 32 - d2 * 32 + m - 32)> : (index, index, index, index, i64) -> i1
                      cloop.if %76 {
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_3: index):
                          %77 = cloop.get %tile[%row_3 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %77 into %strip_1[%columns, %rows, %p, %q, %row_3] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index
                          %78 = cloop.get %tile[%row_3 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %78 into %strip_1[%columns, %rows, %p, %q, %row_3] <(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index
                        }
                      } else {
                        %79 = cloop.thread : i64
                        %finished = cloop.offset %25[%79] <(d0) -> (d0 * 256)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32, "restrict">
                        cloop.for <() -> (0, 8)> step 1 unroll {
                        ^bb0(%row_4: index):
                          %80 = cloop.get %tile[%row_4 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %80 into %finished[%row_4] <(d0) -> (d0 * 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
                          %81 = cloop.get %tile[%row_4 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                          cloop.store %81 into %finished[%row_4] <(d0) -> (d0 * 32 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index
                        }
                        cloop.for[%53 : i64] <(d0) -> (0, d0)> step 1 {
                        ^bb0(%row_5: index):
                          cloop.for <() -> (0, 32)> step 16 {
                          ^bb0(%vector: index):
                            %82 = cloop.load %finished[%row_5, %vector : index, index] <(d0, d1) -> (d0 * 32 + d1)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                            cloop.partial_store %82 into %strip_1[%columns, %rows, %p, %q, %row_5, %vector] <(d0, d1, d2, d3, d4, d5) -> (d0 * 32 + d1 * m * 8 + d2 * 32 + d3 * m * 8 + d4 * m + d5, 0, min(-d0 * 32 - d2 * 32 - d5 + m, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, index, index
                          }
                        }
                      }
                    } else {
                      cloop.for <() -> (0, 8)> step 1 unroll {
                      ^bb0(%row_6: index):
                        %83 = cloop.get %tile[%row_6 : index] <(d0) -> (d0 * 2)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        cloop.store %83 into %kept[%rows, %p, %q, %row_6, %1] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                        %84 = cloop.get %tile[%row_6 : index] <(d0) -> (d0 * 2 + 1)> : !cloop.registers<16, vector<16xf32>> -> vector<16xf32>
                        cloop.store %84 into %kept[%rows, %p, %q, %row_6, %1] <(d0, d1, d2, d3, d4) -> (d0 * d4 * 256 + d1 * 256 + d2 * d4 * 256 + d3 * 32 + 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, index, i64
                      }
                    }
                  }
                }
              }
            }
          }
        }
        cloop.for[%strip : index] <(d0) -> (0, min(-d0 * 64 + n, 64))> step 1 {
        ^bb0(%i: index):
          %85 = cloop.thread : i64
          %86 = cloop.offset %24[%85, %10] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %87 = cloop.constant 0xff800000 : f32
          %88 = cloop.constant 0.000000e+00 : f64
          %89 = cloop.thread : i64
          %floor = cloop.offset %23[%89, %0] <(d0, d1) -> (d0 * d1 * 16)> : (!cloop.ptr<f32, "restrict">, i64, i64) -> !cloop.ptr<f32, "restrict">
          %90 = cloop.variable %87 : f32 -> f32
          %91 = cloop.variable %88 : f64 -> f64
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part: index):
            %92 = cloop.index[%part] <(d0) -> ((-d0 + min(d0 + 4096, m)) floordiv 64)> : (index) -> i64
            %93 = cloop.index[%part] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %94 = cloop.constant 0.000000e+00 : f32
            %95 = cloop.compute "isfinite"(%90) : (f32) -> i1
            %96 = cloop.compute "select"(%95, %90, %94) : (i1, f32, f32) -> f32
            %97 = cloop.compute "min"(%90, %96) : (f32, f32) -> f32
            %partial = cloop.registers : !cloop.registers<4, vector<16xf32>>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u: index):
              %98 = cloop.broadcast %87 : f32 -> vector<16xf32>
              cloop.set %partial[%u] <(d0) -> (d0)>, %98 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 64 {
            ^bb0(%j: index):
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_1: index):
                %99 = cloop.load %strip_1[%i, %j, %u_1 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                %100 = cloop.load %b[%j, %u_1 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                %101 = cloop.compute "add"(%99, %100) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %102 = cloop.broadcast %94 : f32 -> vector<16xf32>
                %103 = cloop.compute "max"(%101, %102) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                %104 = cloop.get %partial[%u_1 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %105 = cloop.compute "max"(%104, %103) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial[%u_1] <(d0) -> (d0)>, %105 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_1: index):
              %106 = cloop.constant 0.000000e+00 : f32
              %107 = cloop.broadcast %106 : f32 -> vector<16xf32>
              %108 = cloop.partial_load %strip_1[%i, %j_1, %93] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %107 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %109 = cloop.constant 0.000000e+00 : f32
              %110 = cloop.broadcast %109 : f32 -> vector<16xf32>
              %111 = cloop.partial_load %b[%j_1, %93] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %110 : (!cloop.ptr<f32, "const">, index, i64, vector<16xf32>) -> vector<16xf32>
              %112 = cloop.compute "add"(%108, %111) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %113 = cloop.broadcast %94 : f32 -> vector<16xf32>
              %114 = cloop.compute "max"(%112, %113) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %115 = cloop.index[] <() -> (0)> : () -> i64
              %116 = cloop.index[%j_1, %93] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %117 = cloop.lanes 0 : vector<16xi32>
              %118 = cloop.cast %115 : i64 -> i32
              %119 = cloop.cast %116 : i64 -> i32
              %120 = cloop.broadcast %118 : i32 -> vector<16xi32>
              %121 = cloop.compute "ge"(%117, %120) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %122 = cloop.broadcast %119 : i32 -> vector<16xi32>
              %123 = cloop.compute "lt"(%117, %122) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %124 = cloop.compute "and"(%121, %123) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
              %125 = cloop.broadcast %87 : f32 -> vector<16xf32>
              %126 = cloop.compute "select"(%124, %114, %125) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %127 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %128 = cloop.compute "max"(%127, %126) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %128 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            cloop.for <() -> (1, 4)> step 1 unroll {
            ^bb0(%u_2: index):
              %129 = cloop.get %partial[%u_2 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %130 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %131 = cloop.compute "max"(%130, %129) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial[] <() -> (0)>, %131 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %132 = cloop.get %partial <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %133 = cloop.fold "max" %132 : vector<16xf32> -> f32
            %134 = cloop.compute "max"(%90, %133) : (f32, f32) -> f32
            %135 = cloop.compute "isfinite"(%134) : (f32) -> i1
            %136 = cloop.compute "select"(%135, %134, %94) : (i1, f32, f32) -> f32
            %137 = cloop.compute "min"(%134, %136) : (f32, f32) -> f32
            %partial_1 = cloop.registers : !cloop.registers<4, vector<16xf32>>
            %138 = cloop.constant 0.000000e+00 : f64
            %139 = cloop.broadcast %138 : f64 -> vector<8xf64>
            %partial_2 = cloop.variable %139 : vector<8xf64> -> vector<8xf64>
            %partial_3 = cloop.variable %139 : vector<8xf64> -> vector<8xf64>
            cloop.for <() -> (0, 4)> step 1 unroll {
            ^bb0(%u_3: index):
              %140 = cloop.broadcast %94 : f32 -> vector<16xf32>
              cloop.set %partial_1[%u_3] <(d0) -> (d0)>, %140 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
            }
            %141 = cloop.broadcast %88 : f64 -> vector<8xf64>
            cloop.assign %partial_2, %141 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %141 : vector<8xf64>, vector<8xf64>
            cloop.for[%part : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64)> step 1024 {
            ^bb0(%chunk: index):
              cloop.for[%part, %chunk, %92 : index, index, i64] <(d0, d1, d2) -> (d1, min(d0 + d2 * 64, d1 + 1024))> step 64 {
              ^bb0(%j_2: index):
                cloop.for <() -> (0, 4)> step 1 unroll {
                ^bb0(%u_4: index):
                  %142 = cloop.load %strip_1[%i, %j_2, %u_4 : index, index, index] <(d0, d1, d2) -> (d0 * m + d1 + d2 * 16)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
                  %143 = cloop.load %b[%j_2, %u_4 : index, index] <(d0, d1) -> (d0 + d1 * 16)> : !cloop.ptr<f32, "const"> -> vector<16xf32>
                  %144 = cloop.compute "add"(%142, %143) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %145 = cloop.broadcast %94 : f32 -> vector<16xf32>
                  %146 = cloop.compute "max"(%144, %145) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %147 = cloop.broadcast %136 : f32 -> vector<16xf32>
                  %148 = cloop.compute "sub"(%146, %147) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  %149 = cloop.compute "exp"(%148) : (vector<16xf32>) -> vector<16xf32>
                  cloop.store %149 into %86[%j_2, %u_4] <(d0, d1) -> (d0 + d1 * 16)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index
                  %150 = cloop.get %partial_1[%u_4 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                  %151 = cloop.compute "add"(%150, %149) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                  cloop.set %partial_1[%u_4] <(d0) -> (d0)>, %151 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
                }
              }
              cloop.for <() -> (1, 4)> step 1 unroll {
              ^bb0(%u_5: index):
                %152 = cloop.get %partial_1[%u_5 : index] <(d0) -> (d0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %153 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
                %154 = cloop.compute "add"(%153, %152) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
                cloop.set %partial_1[] <() -> (0)>, %154 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
              }
              %155 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %156 = cloop.shuffle %155 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
              %157 = cloop.shuffle %155 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
              %158 = cloop.cast %156 : vector<8xf32> -> vector<8xf64>
              %159 = cloop.cast %157 : vector<8xf32> -> vector<8xf64>
              %160 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
              %161 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
              %162 = cloop.compute "add"(%160, %158) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              %163 = cloop.compute "add"(%161, %159) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
              cloop.assign %partial_2, %162 : vector<8xf64>, vector<8xf64>
              cloop.assign %partial_3, %163 : vector<8xf64>, vector<8xf64>
              cloop.for <() -> (0, 4)> step 1 unroll {
              ^bb0(%u_6: index):
                %164 = cloop.broadcast %94 : f32 -> vector<16xf32>
                cloop.set %partial_1[%u_6] <(d0) -> (d0)>, %164 : !cloop.registers<4, vector<16xf32>>, index, vector<16xf32>
              }
            }
            cloop.for[%part : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 64) * 64, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_3: index):
              %165 = cloop.constant 0.000000e+00 : f32
              %166 = cloop.broadcast %165 : f32 -> vector<16xf32>
              %167 = cloop.partial_load %strip_1[%i, %j_3, %93] <(d0, d1, d2) -> (d0 * m + d1, 0, min(-d1 + d2, 16))> else %166 : (!cloop.ptr<f32, "restrict">, index, index, i64, vector<16xf32>) -> vector<16xf32>
              %168 = cloop.constant 0.000000e+00 : f32
              %169 = cloop.broadcast %168 : f32 -> vector<16xf32>
              %170 = cloop.partial_load %b[%j_3, %93] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %169 : (!cloop.ptr<f32, "const">, index, i64, vector<16xf32>) -> vector<16xf32>
              %171 = cloop.compute "add"(%167, %170) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %172 = cloop.broadcast %94 : f32 -> vector<16xf32>
              %173 = cloop.compute "max"(%171, %172) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %174 = cloop.broadcast %136 : f32 -> vector<16xf32>
              %175 = cloop.compute "sub"(%173, %174) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %176 = cloop.compute "exp"(%175) : (vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %176 into %86[%j_3, %93] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, i64
              %177 = cloop.index[] <() -> (0)> : () -> i64
              %178 = cloop.index[%j_3, %93] <(d0, d1) -> (max(0, min(16, min(-d0 + d1, 16))))> : (index, i64) -> i64
              %179 = cloop.lanes 0 : vector<16xi32>
              %180 = cloop.cast %177 : i64 -> i32
              %181 = cloop.cast %178 : i64 -> i32
              %182 = cloop.broadcast %180 : i32 -> vector<16xi32>
              %183 = cloop.compute "ge"(%179, %182) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %184 = cloop.broadcast %181 : i32 -> vector<16xi32>
              %185 = cloop.compute "lt"(%179, %184) : (vector<16xi32>, vector<16xi32>) -> vector<16xi1>
              %186 = cloop.compute "and"(%183, %185) : (vector<16xi1>, vector<16xi1>) -> vector<16xi1>
              %187 = cloop.compute "select"(%186, %176, %172) : (vector<16xi1>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %188 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
              %189 = cloop.compute "add"(%188, %187) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.set %partial_1[] <() -> (0)>, %189 : !cloop.registers<4, vector<16xf32>>, vector<16xf32>
            }
            %190 = cloop.get %partial_1 <() -> (0)> : !cloop.registers<4, vector<16xf32>> -> vector<16xf32>
            %191 = cloop.shuffle %190 array<i64: 0, 1, 2, 3, 4, 5, 6, 7> : (vector<16xf32>) -> vector<8xf32>
            %192 = cloop.shuffle %190 array<i64: 8, 9, 10, 11, 12, 13, 14, 15> : (vector<16xf32>) -> vector<8xf32>
            %193 = cloop.cast %191 : vector<8xf32> -> vector<8xf64>
            %194 = cloop.cast %192 : vector<8xf32> -> vector<8xf64>
            %195 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %196 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %197 = cloop.compute "add"(%195, %193) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %198 = cloop.compute "add"(%196, %194) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            cloop.assign %partial_2, %197 : vector<8xf64>, vector<8xf64>
            cloop.assign %partial_3, %198 : vector<8xf64>, vector<8xf64>
            %199 = cloop.variable %partial_2 : vector<8xf64> -> vector<8xf64>
            %200 = cloop.variable %partial_3 : vector<8xf64> -> vector<8xf64>
            %201 = cloop.compute "add"(%199, %200) : (vector<8xf64>, vector<8xf64>) -> vector<8xf64>
            %202 = cloop.fold "add" %201 : vector<8xf64> -> f64
            %203 = cloop.compute "add"(%88, %202) : (f64, f64) -> f64
            %204 = cloop.compute "sub"(%97, %136) : (f32, f32) -> f32
            %205 = cloop.compute "exp"(%204) : (f32) -> f32
            %206 = cloop.cast %205 : f32 -> f64
            %207 = cloop.compute "mul"(%91, %206) : (f64, f64) -> f64
            %208 = cloop.compute "add"(%207, %203) : (f64, f64) -> f64
            cloop.store %137 into %floor[%part] <(d0) -> (d0 div 4096)> : f32, !cloop.ptr<f32, "restrict">, index
            cloop.assign %90, %134 : f32, f32
            cloop.assign %91, %208 : f64, f64
          }
          %209 = cloop.compute "sub"(%90, %90) : (f32, f32) -> f32
          %210 = cloop.cast %209 : f32 -> f64
          %211 = cloop.test[] <() -> (m - 1)> : () -> i1
          %212 = cloop.compute "add"(%91, %210) : (f64, f64) -> f64
          %213 = cloop.compute "select"(%211, %212, %91) : (i1, f64, f64) -> f64
          %214 = cloop.cast %213 : f64 -> f32
          cloop.for <() -> (0, m)> step 4096 {
          ^bb0(%part_1: index):
            %215 = cloop.index[%part_1] <(d0) -> (min(d0 + 4096, m))> : (index) -> i64
            %216 = cloop.load %floor[%part_1 : index] <(d0) -> (d0 div 4096)> : !cloop.ptr<f32, "restrict"> -> f32
            %217 = cloop.compute "sub"(%216, %90) : (f32, f32) -> f32
            %218 = cloop.compute "exp"(%217) : (f32) -> f32
            cloop.for[%part_1 : index] <(d0) -> (d0, d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16)> step 16 {
            ^bb0(%j_4: index):
              %219 = cloop.load %86[%j_4 : index] <(d0) -> (d0)> : !cloop.ptr<f32, "restrict"> -> vector<16xf32>
              %220 = cloop.broadcast %218 : f32 -> vector<16xf32>
              %221 = cloop.compute "mul"(%219, %220) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %222 = cloop.broadcast %214 : f32 -> vector<16xf32>
              %223 = cloop.compute "div"(%221, %222) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.store %223 into %out[%strip, %i, %j_4] <(d0, d1, d2) -> (d0 * m * 64 + d1 * m + d2)> streaming <(d0, d1, d2) -> (m * n - 2097152)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index
            }
            cloop.for[%part_1 : index] <(d0) -> (d0 + ((-d0 + min(d0 + 4096, m)) floordiv 16) * 16, min(d0 + 4096, m))> step 16 {
            ^bb0(%j_5: index):
              %224 = cloop.constant 0.000000e+00 : f32
              %225 = cloop.broadcast %224 : f32 -> vector<16xf32>
              %226 = cloop.partial_load %86[%j_5, %215] <(d0, d1) -> (d0, 0, min(-d0 + d1, 16))> else %225 : (!cloop.ptr<f32, "restrict">, index, i64, vector<16xf32>) -> vector<16xf32>
              %227 = cloop.broadcast %218 : f32 -> vector<16xf32>
              %228 = cloop.compute "mul"(%226, %227) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              %229 = cloop.broadcast %214 : f32 -> vector<16xf32>
              %230 = cloop.compute "div"(%228, %229) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
              cloop.partial_store %230 into %out[%strip, %i, %j_5, %215] <(d0, d1, d2, d3) -> (d0 * m * 64 + d1 * m + d2, 0, min(-d2 + d3, 16))> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index, index, index, i64
            }
          }
        }
      }
    }
    func.return
  }
}
