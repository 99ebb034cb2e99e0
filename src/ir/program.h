// A loop program: statements in pre-order in one flat array, each knowing where its body ends.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/buffer.h"
#include "ir/expr.h"

namespace hone::ir {

// Numbered as the annotation codes of the public record format.
enum class LoopKind : std::uint8_t {
  Serial,
  Unrolled,
  Vectorized,
  Parallel,
  Vthread,
  BlockX,
  ThreadX,
  BlockY,
  ThreadY,
  BlockZ,
  ThreadZ,
  Tensorized,
};
bool is_thread_loop(LoopKind kind);  // Vthread, Block*, Thread*
bool is_block_loop(LoopKind kind);   // Block*

// Asks the caches for what a loop's body loads of a buffer some iterations before they come.
struct Ahead {
  std::string buffer;  // by name: passes replace buffers
  std::int32_t iterations;
};

// Runs its body for var = min .. min + extent - 1. Parallel iterations are independent.
// The outermost thread loop is a launch: every thread of the grid runs its whole body, and a loop of
// kind ThreadX in there, however deep, takes the one iteration with the thread's own number (none when
// the extent is smaller). So what stands outside of a ThreadX loop is done by all threads.
struct For {
  Expr var;
  Expr min;
  Expr extent;
  LoopKind kind = LoopKind::Serial;
  std::int32_t auto_unroll_max_step = -1;  // the pragma of the PR step; -1 when absent
  std::vector<Ahead> ahead = {};
};
// buffer[index] = value. A vector value goes to a Ramp (or to one element of a Register buffer).
struct Store {
  Buffer buffer;
  std::vector<Expr> index;
  Expr value;
};
// A buffer that lives while its body runs; its contents are undefined at first.
struct Alloc {
  Buffer buffer;
};
struct If {
  Expr condition;
};
struct Else {};  // directly after the If it belongs to
struct Let {
  Expr var;
  Expr value;
};  // a name for a value inside the body
// All threads of the scope wait for each other and see each other's writes: Shared is a block.
struct Barrier {
  Scope scope;
};
// A box of a buffer: one [min, min + extent) a dimension.
struct Region {
  Buffer buffer;
  std::vector<Expr> min;
  std::vector<Expr> extent;
};
// An operation of the machine, known by name, with all that it touches (tensor instructions, prefetch).
struct Intrinsic {
  std::string name;
  std::vector<Expr> args;
  std::vector<Region> reads, writes;
};

struct Stmt {
  using Kind = std::variant<For, Store, Alloc, If, Else, Let, Barrier, Intrinsic>;
  Kind kind;
  std::int32_t end = 0;  // one past the last statement of the body; own position + 1 for a leaf

  template <class K>
  const K* as() const {
    return std::get_if<K>(&kind);
  }
  template <class K>
  K* as() {
    return std::get_if<K>(&kind);
  }
};

struct Program {
  std::string name;
  std::vector<Buffer> params;  // inputs first, outputs last, as the caller passes them
  std::vector<Stmt> stmts;
};

// Appends statements and closes bodies; the way every pass writes its result.
//   auto loop = out.open(For{...});  ...  out.close(loop);
class ProgramWriter {
 public:
  explicit ProgramWriter(Program& program) : program_(program) {}
  std::int32_t open(Stmt::Kind kind);
  void close(std::int32_t position);
  void add(Stmt::Kind leaf);
  void store(Buffer buffer, std::vector<Expr> index, Expr value);

 private:
  Program& program_;
};

// Statement rewriting for passes that keep the structure: maps every expression of a statement.
Stmt::Kind map_exprs(const Stmt::Kind& kind, const std::function<Expr(const Expr&)>& map);

std::string to_string(LoopKind kind);
std::string to_string(Scope scope);

}  // namespace hone::ir
