#include "ir/program.h"

#include <array>

#include "base/error.h"

namespace hone::ir {

std::int32_t ProgramWriter::open(Stmt::Kind kind) {
  const auto position = static_cast<std::int32_t>(program_.stmts.size());
  program_.stmts.push_back({std::move(kind), position + 1});
  return position;
}

void ProgramWriter::close(std::int32_t position) {
  program_.stmts[static_cast<std::size_t>(position)].end =
      static_cast<std::int32_t>(program_.stmts.size());
}

void ProgramWriter::add(Stmt::Kind leaf) { open(std::move(leaf)); }

void ProgramWriter::store(Buffer buffer, std::vector<Expr> index, Expr value) {
  add(Store{std::move(buffer), std::move(index), std::move(value)});
}

Stmt::Kind map_exprs(const Stmt::Kind& kind, const std::function<Expr(const Expr&)>& map) {
  const auto all = [&](std::vector<Expr> list) {
    for (Expr& item : list) item = map(item);
    return list;
  };
  const auto regions = [&](std::vector<Region> list) {
    for (Region& region : list) region = {region.buffer, all(region.min), all(region.extent)};
    return list;
  };
  return hone::match(
      kind,
      [&](const For& s) -> Stmt::Kind {
        return For{s.var, map(s.min), map(s.extent), s.kind, s.auto_unroll_max_step, s.ahead};
      },
      [&](const Store& s) -> Stmt::Kind { return Store{s.buffer, all(s.index), map(s.value)}; },
      [&](const Alloc& s) -> Stmt::Kind { return s; },
      [&](const If& s) -> Stmt::Kind { return If{map(s.condition)}; },
      [&](const Else& s) -> Stmt::Kind { return s; },
      [&](const Let& s) -> Stmt::Kind { return Let{s.var, map(s.value)}; },
      [&](const Barrier& s) -> Stmt::Kind { return s; },
      [&](const Intrinsic& s) -> Stmt::Kind {
        return Intrinsic{s.name, all(s.args), regions(s.reads), regions(s.writes)};
      });
}

bool is_thread_loop(LoopKind kind) { return kind >= LoopKind::Vthread && kind <= LoopKind::ThreadZ; }

bool is_block_loop(LoopKind kind) {
  return kind == LoopKind::BlockX || kind == LoopKind::BlockY || kind == LoopKind::BlockZ;
}

std::string to_string(LoopKind kind) {
  constexpr std::array<std::string_view, 12> kNames = {
      "for",         "unroll",     "vectorize",   "parallel",   "vthread",     "blockIdx.x",
      "threadIdx.x", "blockIdx.y", "threadIdx.y", "blockIdx.z", "threadIdx.z", "tensorize"};
  return std::string(kNames[static_cast<std::size_t>(kind)]);
}

std::string to_string(Scope scope) {
  constexpr std::array<std::string_view, 5> kNames = {"global", "shared", "warp", "local", "register"};
  return std::string(kNames[static_cast<std::size_t>(scope)]);
}

}  // namespace hone::ir
