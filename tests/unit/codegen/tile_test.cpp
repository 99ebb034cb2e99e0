// The register tile of a matrix multiplication: what its code looks like, which says more on a shared
// machine than its time does.
#include <algorithm>
#include <thread>

#include "run.h"

namespace hone::codegen {
namespace {

// C = A * B with B packed into panels [n / width][k][width], one tile of rows x vectors at a time.
ir::Program tile_program(std::int64_t m, std::int64_t n, std::int64_t k, int rows, int vectors,
                         int lanes) {
  const std::int64_t width = std::int64_t{vectors} * lanes;
  const ir::Type type{ir::Scalar::F32, lanes};
  const ir::Buffer a = ir::make_buffer("A", ir::kF32, {m * k}),
                   b = ir::make_buffer("B", ir::kF32, {n * k});
  const ir::Buffer c = ir::make_buffer("C", ir::kF32, {m * n});
  const ir::Buffer acc = ir::make_buffer("acc", type, {rows, vectors}, ir::Scope::Register);
  const ir::Expr panel = ir::variable("panel"), tile = ir::variable("tile"), step = ir::variable("k");
  ir::Program program{"matmul", {a, b, c}, {}};
  ir::ProgramWriter writer(program);
  const auto each = [&](const auto& statement) {
    for (int r = 0; r < rows; ++r) {
      for (int v = 0; v < vectors; ++v) statement(r, v);
    }
  };
  const auto panels = writer.open(ir::For{panel, 0, n / width});
  const auto tiles = writer.open(ir::For{tile, 0, m / rows});
  const auto alloc = writer.open(ir::Alloc{acc});
  each([&](int r, int v) { writer.store(acc, {r, v}, ir::constant(0, type)); });
  const auto steps = writer.open(ir::For{step, 0, k});
  each([&](int r, int v) {
    const ir::Expr x = ir::broadcast(ir::load(a, {(tile * rows + r) * k + step}), lanes);
    const ir::Expr y = ir::load(b, {ir::ramp((panel * k + step) * width + v * lanes, 1, lanes)});
    writer.store(acc, {r, v}, ir::load(acc, {r, v}) + x * y);
  });
  writer.close(steps);
  each([&](int r, int v) {
    const ir::Expr place = ir::ramp((tile * rows + r) * n + panel * width + v * lanes, 1, lanes);
    writer.store(c, {place}, ir::load(acc, {r, v}));
  });
  for (const auto body : {alloc, tiles, panels}) writer.close(body);
  return program;
}

int count(std::string_view text, std::string_view part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Tile, StaysInRegisters) {
  const std::string avx512 = print_asm(tile_program(128, 768, 768, 8, 3, 16), target::parse("avx512"));
  EXPECT_EQ(count(avx512, "\tvfmadd"), 24) << avx512;
  EXPECT_EQ(count(avx512, "(%rsp)"), 0) << avx512;
  const std::string avx2 = print_asm(tile_program(128, 768, 768, 4, 3, 8), target::parse("avx2"));
  EXPECT_EQ(count(avx2, "\tvfmadd"), 12) << avx2;
  EXPECT_EQ(count(avx2, "(%rsp)"), 0) << avx2;
  const std::string neon = print_asm(tile_program(128, 768, 768, 8, 3, 4), target::parse("neon"));
  EXPECT_EQ(count(neon, "\tfmla"), 24) << neon;
}

TEST(Tile, AnswersAsInterpreted) {
  for (const target::Target& target : runnable_targets()) {
    const ir::Program program = tile_program(16, 96, 40, 4, 3, target.lanes(32));
    expect_as_interpreted(program, build_llvm(program, target));
    expect_as_interpreted(program, build_c(program, target));
  }
}

TEST(Tile, ManyThreadsCompileAtOnce) {
  const target::Target target = target::host();
  const ir::Program program = tile_program(16, 96, 40, 4, 3, target.lanes(32));
  const std::vector<std::byte> want = build_llvm(program, target).image;
  std::vector<std::jthread> threads;
  std::vector<char> same(4, 0);
  for (char& result : same) {
    threads.emplace_back([&] {
      bool all = true;
      for (int i = 0; i < 5; ++i) all &= build_llvm(program, target).image == want;
      result = all ? 1 : 0;
    });
  }
  threads.clear();
  EXPECT_EQ(std::ranges::count(same, 1), 4);
}

}  // namespace
}  // namespace hone::codegen
