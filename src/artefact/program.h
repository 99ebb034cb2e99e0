// What an artefact does when it runs, as plain data: buffers, and steps in order.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/tensor.h"

namespace hone::artefact {

// Inputs and outputs are the caller's memory, weights lie in the file, and all else shares an arena.
enum class Place : std::uint8_t { Input, Output, Weight, Arena };

// A buffer's number: its place in Program::buffers.
using BufferId = int;

struct Buffer {
  std::string name;
  Place place = Place::Arena;
  std::int64_t size_bytes = 0;
  // A view: these bytes of another buffer, which may be a view as well. So reshapes cost nothing, and
  // the parts of a concatenation or a split are where the whole is.
  BufferId parent = -1;
  std::int64_t offset_bytes = 0;
  // Of inputs and outputs.
  ir::Scalar type = ir::Scalar::F32;
  model::Shape shape = {};
  // Of weights.
  std::optional<model::Tensor> constant = {};
};

// A place in a buffer. In iteration i of the loop around its step it is i * stride_bytes further, so
// that each iteration has its slice.
struct Operand {
  BufferId buffer = -1;
  std::int64_t offset_bytes = 0, stride_bytes = 0;

  bool operator==(const Operand&) const = default;
};

// Output `output` may take the memory of input `input`, if nobody reads that later: the kernel reads no
// element of it after it has written that element of the output, on whatever thread.
struct InPlace {
  int input = 0, output = 0;
};

struct KernelCall {
  int kernel = 0;                        // among the variant's kernels
  std::vector<Operand> inputs, outputs;  // as the kernel's parameters: all inputs, then all outputs
  std::vector<InPlace> in_place = {};
};

struct Copy {
  Operand from, to;
  std::int64_t rows = 1, row_bytes = 0;
  std::int64_t from_stride_bytes = 0, to_stride_bytes = 0;  // from row to row
};

// The k best along an axis of [outer, extent, inner], best first, and their places (int64).
struct TopK {
  Operand from, values, places;
  std::int64_t outer = 1, extent = 1, inner = 1, k = 1;
  ir::Scalar type = ir::Scalar::F32;
  bool largest = true;
};

// The `steps` steps that follow, `trips` times. Loops do not nest.
struct Loop {
  std::int64_t trips = 0;
  int steps = 0;
};

struct Step {
  std::string label;  // the nodes of the model that it computes, for people
  std::variant<KernelCall, Copy, TopK, Loop> action;
  double flop = 0;
};

struct Program {
  std::vector<Buffer> buffers;
  std::vector<BufferId> inputs, outputs;  // in the order of the model's
  std::vector<Step> steps;

  BufferId add_input(std::string name, ir::Scalar type, model::Shape shape);
  BufferId add_output(std::string name, ir::Scalar type, model::Shape shape);
  BufferId add_weight(std::string name, model::Tensor constant);
  BufferId add_temporary(std::string name, std::int64_t size_bytes);
  BufferId add_view(std::string name, BufferId parent, std::int64_t offset_bytes,
                    std::int64_t size_bytes);

  const Buffer& buffer(BufferId id) const { return buffers[static_cast<std::size_t>(id)]; }
};

// The buffer that a view ends up in, and where.
struct RootPlace {
  BufferId buffer;
  std::int64_t offset_bytes;
};
RootPlace root_of(const Program& program, BufferId buffer);

// A step's operands, those it reads before those it writes.
struct Access {
  Operand operand;
  bool is_written;
};
std::vector<Access> accesses_of(const Step& step);

// For every step the loop that it is in, as a number of a step; -1 outside of loops.
std::vector<int> loops_around(const Program& program);

std::string print(const Program& program);

}  // namespace hone::artefact
