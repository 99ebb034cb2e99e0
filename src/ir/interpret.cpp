#include "ir/interpret.h"

#include <fmt/format.h>

#include "base/error.h"
#include "ir/arithmetic.h"
#include "ir/runner.h"
#include "ir/verify.h"

namespace hone::ir {

Tensor make_tensor(const Buffer& buffer) {
  const auto size = span_elements(*buffer) * size_bytes(buffer->type.scalar);
  return {buffer, std::vector<std::byte>(static_cast<std::size_t>(size))};
}

double get(const Tensor& tensor, std::int64_t element) {
  const Scalar scalar = tensor.buffer->type.scalar;
  const auto at = static_cast<std::size_t>(element * size_bytes(scalar));
  check(at < tensor.data.size(), "the element lies outside of the tensor");
  return convert(scalar, Scalar::F64, read_number(scalar, &tensor.data[at])).f;
}

void set(Tensor& tensor, std::int64_t element, double value) {
  const Scalar scalar = tensor.buffer->type.scalar;
  const auto at = static_cast<std::size_t>(element * size_bytes(scalar));
  check(at < tensor.data.size(), "the element lies outside of the tensor");
  write_number(scalar, &tensor.data[at], convert(Scalar::F64, scalar, {.f = value}));
}

void interpret(const Program& program, std::span<Tensor> params) {
  check_valid(program);
  check(params.size() == program.params.size(), "every parameter gets a tensor");
  for (std::size_t i = 0; i < params.size(); ++i) {
    const BufferNode& buffer = *program.params[i];
    const std::int64_t size = span_elements(buffer) * size_bytes(buffer.type.scalar);
    if (static_cast<std::int64_t>(params[i].data.size()) != size) {
      fail(fmt::format("parameter {} takes {} bytes and got {}", buffer.name, size,
                       params[i].data.size()));
    }
  }
  const bytecode::Code code = bytecode::compile(program);
  bytecode::Runner(program, code, params).run();
}

}  // namespace hone::ir
