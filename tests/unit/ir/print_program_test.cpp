#include <gtest/gtest.h>

#include "ir/print.h"

namespace hone::ir {
namespace {

TEST(PrintProgram, CarriesEverything) {
  Program program{.name = "all", .params = {}, .stmts = {}};
  const Buffer x = make_buffer("X", kF32, {8, 16}, Scope::Global, {32, 1});
  const Buffer tile = make_buffer("tile", kF32.with_lanes(8), {2}, Scope::Register);
  const Buffer shared = make_buffer("X.shared", kF32, {16}, Scope::Shared);
  program.params = {x};
  ProgramWriter out(program);
  const Expr i = variable("i.0@"), t = variable("t"), u = variable("u"), v = variable("v", kF32);
  const auto block = out.open(For{i, 0, 4, LoopKind::BlockX, 16});
  const auto alloc_tile = out.open(Alloc{tile});
  const auto alloc_shared = out.open(Alloc{shared});
  const auto thread = out.open(For{t, 1, i + Expr(2), LoopKind::ThreadX});
  const auto branch = out.open(If{t < Expr(3)});
  const auto let = out.open(Let{v, load(x, {i, t})});
  out.store(shared, {t}, v);
  out.close(let);
  out.close(branch);
  const auto otherwise = out.open(Else{});
  out.store(tile, {1}, load(x, {i, ramp(t, 1, 8)}) * broadcast(float_imm(2), 8));
  out.close(otherwise);
  out.add(Barrier{Scope::Shared});
  out.add(Intrinsic{"prefetch", {3}, {{x, {i, 0}, {1, 16}}}, {{shared, {0}, {16}}}});
  for (const auto position : {thread, alloc_shared, alloc_tile, block}) out.close(position);
  const auto tail = out.open(For{u, 0, 1, LoopKind::Serial});
  out.close(tail);
  EXPECT_EQ(print(program),
            "program all(X: float32[8, 16] strides [32, 1])\n"
            "  blockIdx.x i.0@ (0, 4) auto_unroll 16\n"
            "    alloc tile: float32x8[2] register\n"
            "      alloc X.shared: float32[16] shared\n"
            "        threadIdx.x t (1, (i.0@ + 2))\n"
            "          if (t < 3)\n"
            "            let v: float32 = X[i.0@, t]\n"
            "              X.shared[t] = v\n"
            "          else\n"
            "            tile[1] = (X[i.0@, ramp(t, 1, 8)]*broadcast(2f, 8))\n"
            "          barrier shared\n"
            "          call prefetch(3) reads X[i.0@:1, 0:16] writes X.shared[0:16]\n"
            "  for u (0, 1)\n");
}

TEST(PrintProgram, TellsEqualNamesApartOnlyWhereBothAreInUse) {
  Program program{.name = "names", .params = {}, .stmts = {}};
  const Buffer a = make_buffer("A", kF32, {4, 4});
  const Buffer other = make_buffer("A", kF32, {4, 4});
  program.params = {a, other};
  ProgramWriter out(program);
  for (int nest = 0; nest < 2; ++nest) {
    const Expr i = variable("i"), inner = variable("i"), word = variable("for");
    const auto first = out.open(For{i, 0, 4});
    const auto second = out.open(For{inner, 0, 4});
    const auto third = out.open(For{word, 0, 4});
    out.store(other, {inner, i}, load(a, {i, word}));
    for (const auto position : {third, second, first}) out.close(position);
  }
  const std::string nest =
      "  for i (0, 4)\n"
      "    for i_1 (0, 4)\n"
      "      for v_for (0, 4)\n"
      "        A_1[i_1, i] = A[i, v_for]\n";
  EXPECT_EQ(print(program), "program names(A: float32[4, 4], A_1: float32[4, 4])\n" + nest + nest);
}

TEST(PrintProgram, PrintsFaultyProgramsToo) {
  Program program{.name = "a b", .params = {}, .stmts = {}};
  program.stmts.push_back({For{variable("i"), 0, Expr()}, 99});
  program.stmts.push_back({Store{nullptr, {}, variable("free")}, -1});
  program.stmts.push_back({Else{}, 2});
  EXPECT_EQ(print(program),
            "program unnamed()\n"
            "  for i (0, missing)\n"
            "    missing[] = free\n"
            "    else\n");
}

}  // namespace
}  // namespace hone::ir
