// A task: one computation worth tuning, as a DAG of tensor expressions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace hone::task {

struct Axis {
  ir::Expr var;  // named; names are unique inside one op
  std::int64_t extent = 0;
};

// How the values of the reduce axes are combined. ArgMax and ArgMin have two outputs (index, value)
// and two bodies; the first of equal values wins.
enum class Reducer : std::uint8_t { None, Sum, Max, Min, Prod, ArgMax, ArgMin };

// What the author of a computation tells the schedule space (attributes of TVM's compute ops).
struct Hints {
  std::vector<std::string> simplify_const_tensor_indices;  // iterator names
  std::vector<std::string> always_unroll_inner;
  std::vector<std::string> no_split_at_inner;
  std::vector<std::string> layout_free;  // placeholders that may be laid out anew: constant weights
  bool const_matrix = false;
  std::optional<double> flop;
};

// A placeholder (no body) or a computed tensor: out[axes] = reduce over reduce_axes of body.
struct Op {
  std::vector<ir::Buffer> outputs;  // one, or two for ArgMax/ArgMin
  std::vector<Axis> axes;           // one a dimension of the output
  std::vector<Axis> reduce_axes;
  Reducer reducer = Reducer::None;
  std::vector<ir::Expr> body;  // one an output; empty for a placeholder
  Hints hints;

  bool is_placeholder() const { return body.empty(); }
  const ir::Buffer& output() const { return outputs.front(); }
  const std::string& name() const { return outputs.front()->name; }
};

// Ops in stage order: producers before consumers, as TVM numbers its stages.
struct Task {
  std::string name;  // for people; no part of any key
  std::vector<Op> ops;
  std::string workload_key;  // the key this task came with, when it came from a record

  std::vector<int> placeholders() const;
  std::vector<int> outputs() const;              // computed ops nobody reads
  int producer(const ir::Buffer& buffer) const;  // op that writes it, -1 when none
};

// The buffers an op reads, each once, in the order in which TVM meets them: indices before the load
// itself.
std::vector<ir::Buffer> reads_of(const Op& op);
// Stage order: post-order depth-first over the reads, from the computed ops that nobody reads (the
// outputs), in the order given. Ops that no output needs are left out.
std::vector<Op> in_stage_order(std::vector<Op> ops);

// The value a reduction begins with: Sum 0, Prod 1, Max and ArgMax the lowest finite one, Min and
// ArgMin the highest. The index of ArgMax and ArgMin begins with the highest index.
ir::Expr identity_of(Reducer reducer, ir::Type type);
ir::Expr combine(Reducer reducer, ir::Expr a, ir::Expr b);  // one output
// The same, one expression an output of the op, in the order of its outputs.
std::vector<ir::Expr> identities_of(const Op& op);
std::vector<ir::Expr> combine(Reducer reducer, const std::vector<ir::Expr>& a,
                              const std::vector<ir::Expr>& b);

}  // namespace hone::task
