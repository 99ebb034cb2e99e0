// A task being written down: its ops so far and the rules for types and sizes that all operators share.
//
// Types. Sums of 16-bit floats are held in f32 and those of 8- and 16-bit integers in i32; single
// values of 16-bit floats are computed in f32. A float task gives back the type it was asked for, by a
// cast in its last op; an integer task gives its sums as they are.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "task/task.h"

namespace hone::task::ops {

using Shape = std::vector<std::int64_t>;
using Axes = std::vector<Axis>;
using Index = std::vector<ir::Expr>;

ir::Type accumulator(ir::Type type);  // holds a sum of values of `type`
ir::Type arithmetic(ir::Type type);   // computes with single values of `type`

Axis axis(std::string name, std::int64_t extent);
Axes fresh(const Axes& axes);  // the same names and extents, for another op
Index index_of(const Axes& axes);
Shape shape_of(const Axes& axes);

// Loads in the type that sums or that single values are computed in.
ir::Expr read_to_sum(const ir::Buffer& buffer, Index index);
ir::Expr read(const ir::Buffer& buffer, Index index);

// Index arithmetic without the terms that change nothing.
ir::Expr times(const ir::Expr& value, std::int64_t factor);
ir::Expr plus(const ir::Expr& value, std::int64_t offset);

// Hints of an op that multiplies by a constant: the weight may be laid out anew.
Hints with_weight(const ir::Buffer& weight);

struct Reduction {
  Reducer reducer = Reducer::None;
  Axes axes;
};

class Draft {
 public:
  explicit Draft(ir::Type type) : type_(type) {}

  ir::Type type() const { return type_; }
  const Op& last() const { return ops_.back(); }

  // Names are made unique by a number. Throws UserError when a tensor or a loop nest is too large for
  // any machine.
  ir::Buffer placeholder(const std::string& name, Shape shape, ir::Type type);
  ir::Buffer placeholder(const std::string& name, Shape shape) {
    return placeholder(name, std::move(shape), type_);
  }
  ir::Buffer compute(const std::string& name, Axes axes, ir::Expr body, Hints hints = {});
  ir::Buffer reduce(const std::string& name, Axes axes, Reduction reduction, ir::Expr body,
                    Hints hints = {});
  // Index and value of the largest or smallest `value` along the reduction, named as TVM names them;
  // gives the index.
  ir::Buffer arg_reduce(Axes axes, Reduction reduction, ir::Expr index, ir::Expr value);

  // The task, whose last op is cast to the draft's type where the types' rule asks for it.
  Task finish(std::string name);

 private:
  Op& add(Op op);
  ir::Buffer output(const std::string& name, const ir::Expr& body, const Axes& axes);
  std::string unique(const std::string& name) const;
  void cast_last_op();

  ir::Type type_;
  std::vector<Op> ops_;
};

}  // namespace hone::task::ops
