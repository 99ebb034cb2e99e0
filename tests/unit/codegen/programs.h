// Small programs that have every statement and every kind of access, for all back ends and targets.
#pragma once
#include <string_view>

namespace hone::codegen {

struct NamedProgram {
  std::string_view name;
  std::string_view text;
};

inline constexpr NamedProgram kPrograms[] = {
    {"register_tile", R"(
program matmul(A: float32[128], B: float32[512], C: float32[256])
  for j (0, 2)
    for i (0, 4)
      alloc acc: float32x16[2, 2] register
        acc[0, 0] = broadcast(0f, 16)
        acc[0, 1] = broadcast(0f, 16)
        acc[1, 0] = broadcast(0f, 16)
        acc[1, 1] = broadcast(0f, 16)
        for k (0, 16)
          acc[0, 0] = (acc[0, 0] + (broadcast(A[((i*32) + k)], 16)*B[ramp(((j*16) + (k*32)), 1, 16)]))
          acc[0, 1] = (acc[0, 1] - (broadcast(A[((i*32) + k)], 16)*B[ramp(((j*16) + (k*32)), 1, 16)]))
          acc[1, 0] = ((broadcast(A[((i*32) + k + 16)], 16)*B[ramp(((j*16) + (k*32)), 1, 16)]) - acc[1, 0])
          acc[1, 1] = (acc[1, 1] + (broadcast(A[((i*32) + k + 16)], 16)*B[ramp(((j*16) + (k*32)), 1, 16)]))
        C[ramp(((i*64) + (j*16)), 1, 16)] = (acc[0, 0] + acc[0, 1])
        C[ramp(((i*64) + (j*16) + 32), 1, 16)] = (acc[1, 0]*acc[1, 1])
)"},
    {"tensor_indices_and_strides", R"(
program copy(X: float32[4, 8] strides [1, 4], Y: float32[8, 4])
  for i (0, 4)
    for j (0, 8)
      Y[j, i] = (X[i, j] + 1f)
)"},
    {"dynamic_bounds", R"(
program border(X: float32[16], Y: float32[16])
  for i (0, 16)
    Y[i] = 0f
    for k (max(0, (1 - i)), (min(3, (17 - i)) - max(0, (1 - i))))
      Y[i] = (Y[i] + X[((i + k) - 1)])
    for rest (i, (4 - i))
      Y[i] = (Y[i] + 100f)
)"},
    {"branches", R"(
program split(X: float32[32], Y: float32[32])
  for i (0, 32)
    if ((i < 5) || (floormod(i, 3) == 0))
      Y[i] = X[i]
      if (X[i] > 0f)
        Y[i] = (Y[i]*2f)
    else
      Y[i] = (0f - X[i])
)"},
    {"lazy_select_guards_its_load", R"(
program pad(X: float32[8], Y: float32[10], Z: float32[16])
  for i (0, 10)
    Y[i] = tir.if_then_else(((i >= 1) && (i < 9)), X[(i - 1)], 0f)
  Z[ramp(0, 1, 16)] = tir.if_then_else((ramp(0, 1, 16) < broadcast(8, 16)), X[ramp(0, 1, 16)], broadcast(0.5f, 16))
)"},
    {"names_for_values", R"(
program lets(X: float32[8], I: int64[8], Y: float32[8], Z: float32[8])
  for i (0, 8)
    let a: float32 = (X[i]*2f)
      let b: int64 = (i*i)
        let c: int64 = floormod((I[i] + 64), 8)
          for j (0, 2)
            Y[i] = (((a + X[c]) + float32(b)) + float32(((c*3) + j)))
  let v: float32x8 = X[ramp(0, 1, 8)]
    Z[ramp(0, 1, 8)] = (v*v)
)"},
    {"gathers_and_scatters", R"(
program strided(X: float32[256], Y: float32[256])
  for i (0, 2)
    Y[ramp((i*16), 1, 16)] = X[ramp(i, 2, 16)]
    Y[ramp(((i*16) + 32), 1, 16)] = X[ramp((i + 7), 3, 16)]
    Y[ramp(((i*16) + 64), 1, 16)] = X[ramp(i, 5, 16)]
    Y[ramp(((i*16) + 96), 1, 16)] = X[ramp((i + 40), -1, 16)]
    Y[ramp((i + 128), 2, 16)] = X[ramp((i*16), 1, 16)]
    Y[ramp(((i*8) + 200), 1, 8)] = X[floormod(ramp((i*3), 7, 8), broadcast(10, 8))]
    Y[floormod(ramp(((i*3) + 220), 1, 8), broadcast(256, 8))] = X[ramp(0, 1, 8)]
)"},
    {"memory_that_the_program_allocates", R"(
program scratch(X: float32[64], Y: float32[64])
  alloc T: float32[64] global
    for i (0, 64)
      T[i] = (X[i]*3f)
    alloc U: float32[64] global
      for i (0, 64)
        U[i] = (T[(63 - i)] + 1f)
      alloc V: float32[64] global
        for i (0, 64)
          V[i] = (U[i]*U[i])
        for i (0, 64)
          alloc small: float32[2] local
            small[0] = V[i]
            small[1] = X[i]
            Y[i] = (small[0] - small[1])
)"},
    {"parallel_loops", R"(
program threads(X: float32[8, 4096], S: int32[8], Y: float32[8, 4096], Z: float32[8])
  alloc context: float32[8] global
    for c (0, 2)
      parallel i (2, 5)
        alloc row: float32[4100] global
          for j (0, 4096)
            row[j] = (X[i, j]*float32((c + 1)))
          context[i] = row[17]
          parallel nested (0, 4)
            Y[i, nested] = row[nested]
          for j (4, 4092)
            Y[i, j] = (row[j] + row[(4095 - j)])
    parallel k (0, 1)
      Z[7] = 3f
    parallel k (0, 5)
      alloc acc: float32[1] register
        acc[0] = context[(k + 2)]
        acc[0] = (acc[0] + float32(S[k]))
        Z[k] = acc[0]
)"},
    {"loops_left_as_they_are", R"(
program plain(X: float32[24], Y: float32[24])
  for o (0, 2)
    unroll i (0, 3)
      vectorize v (0, 4)
        Y[(((o*12) + (i*4)) + v)] = max(X[(((o*12) + (i*4)) + v)], 0f)
)"},
    {"prefetch", R"(
program fetch(X: float32[64], Y: float32[64])
  for i (0, 64)
    call prefetch(3) reads X[min((i + 16), 63):1]
    Y[i] = X[i]
)"},
    {"scalars_and_a_single_element", R"(
program single(X: float32[], Y: float32[4])
  for i (0, 4)
    Y[i] = (X[]*float32(i))
)"},
    {"bools", R"(
program masks(X: float32[16], B: bool[16], C: bool[16], Y: float32[16])
  C[ramp(0, 1, 16)] = ((X[ramp(0, 1, 16)] < broadcast(0f, 16)) && (!B[ramp(0, 1, 16)]))
  for i (0, 16)
    Y[i] = select((C[i] || B[i]), X[i], float32(C[i]))
)"},
};

}  // namespace hone::codegen
