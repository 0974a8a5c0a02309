builtin.module {
  func.func @layer(%x: tensor<?x?xf32, #sw.shape<[n, k]>>, %w: tensor<?x?xf32, #sw.shape<[k, m]>>, %b: tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>> {
    %0 = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : (tensor<?x?xf32, #sw.shape<[n, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
    %1 = uop.reindex %w <(d0, d1, d2) -> (d2, d1)> : (tensor<?x?xf32, #sw.shape<[k, m]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
    %2 = uop.map "mul"(%0, %1) : (tensor<?x?x?xf32, #sw.shape<[n, m, k]>>, tensor<?x?x?xf32, #sw.shape<[n, m, k]>>) -> tensor<?x?x?xf32, #sw.shape<[n, m, k]>>
    %3 = uop.reduce "add" %2 axes [2 : i64] : tensor<?x?x?xf32, #sw.shape<[n, m, k]>> -> tensor<?x?xf32, #sw.shape<[n, m]>>
    %4 = uop.reindex %b <(d0, d1) -> (d1)> : (tensor<?xf32, #sw.shape<[m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
    %5 = uop.map "add"(%3, %4) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
    %6 = uop.constant 0.000000e+00 : f32 : tensor<?x?xf32, #sw.shape<[n, m]>>
    %7 = uop.map "max"(%5, %6) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
    %8 = uop.reduce "max" %7 axes [1 : i64] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
    %9 = uop.reindex %8 <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x1xf32, #sw.shape<[n, 1]>>
    %10 = uop.reindex %9 <(d0, d1) -> (d0, 0)> : (tensor<?x1xf32, #sw.shape<[n, 1]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
    %11 = uop.map "sub"(%7, %10) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
    %12 = uop.map "exp"(%11) : (tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
    %13 = uop.reduce "add" %12 axes [1 : i64] : tensor<?x?xf32, #sw.shape<[n, m]>> -> tensor<?xf32, #sw.shape<[n]>>
    %14 = uop.reindex %13 <(d0, d1) -> (d0)> : (tensor<?xf32, #sw.shape<[n]>>) -> tensor<?x1xf32, #sw.shape<[n, 1]>>
    %15 = uop.reindex %14 <(d0, d1) -> (d0, 0)> : (tensor<?x1xf32, #sw.shape<[n, 1]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
    %16 = uop.map "div"(%12, %15) : (tensor<?x?xf32, #sw.shape<[n, m]>>, tensor<?x?xf32, #sw.shape<[n, m]>>) -> tensor<?x?xf32, #sw.shape<[n, m]>>
    func.return %16 : tensor<?x?xf32, #sw.shape<[n, m]>>
  }
}
