// The loops of a nest while it is written: which are open, by which names, and what guards stand
// inside.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"
#include "lower/nest_body.h"

namespace hone::lower {

class NestLoops {
 public:
  NestLoops(const schedule::State& state, NestBody& body, ir::ProgramWriter& writer)
      : state_(state), body_(body), writer_(writer) {}

  // A loop of extent 1 is entered without a statement.
  void open(int stage, const schedule::Iterator& iter, std::string_view suffix = "");
  void close();

  // Opens an If where the loops of the stage run past what there is to compute; returns its position,
  // -1 when none is needed. `values` are those of all the stage's loops.
  struct Guarded {
    bool reduction;  // also past the ends of reduction axes
    bool domain;     // also past the tensor that the op is defined on
  };
  std::int32_t open_guard(int stage, const std::vector<schedule::Sum>& values, Guarded guarded,
                          ir::Expr also = {});
  void close_guard(std::int32_t position);

  bool inside_threads() const { return n_threads_ > 0; }
  bool repeats() const { return n_repeating_ > 0; }  // inside threads, a loop runs more than once
  struct Thread {
    ir::LoopKind kind;
    ir::Expr var;
    std::int64_t extent;
  };
  std::vector<Thread> threads() const;  // those that share a block's memory, outermost first

 private:
  struct Open {
    schedule::Var var;
    ir::LoopKind kind;
    std::int64_t extent;
    std::int32_t position;  // of the statement, -1 without one
    ir::Expr hidden;        // what the variable stood for outside
    std::int32_t unroll;    // the pragma that waited for a loop outside
  };
  void check_place(const schedule::Iterator& iter) const;
  std::string unused_name(const std::string& iterator, std::string_view suffix) const;

  const schedule::State& state_;
  NestBody& body_;
  ir::ProgramWriter& writer_;
  std::vector<Open> open_;
  int n_threads_ = 0, n_repeating_ = 0;
  std::int32_t unroll_ = -1;  // a pragma on a loop of extent 1 waits for the loops inside
};

}  // namespace hone::lower
