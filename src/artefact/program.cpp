#include "artefact/program.h"

#include "base/error.h"
#include "base/match.h"

namespace hone::artefact {
namespace {

std::int64_t dense_bytes(ir::Scalar type, const model::Shape& shape) {
  return model::elements(shape) * ir::size_bytes(type);
}

BufferId add(Program& program, Buffer buffer) {
  program.buffers.push_back(std::move(buffer));
  return static_cast<BufferId>(program.buffers.size()) - 1;
}

}  // namespace

BufferId Program::add_input(std::string name, ir::Scalar type, model::Shape shape) {
  const std::int64_t size = dense_bytes(type, shape);
  inputs.push_back(add(*this, {.name = std::move(name),
                               .place = Place::Input,
                               .size_bytes = size,
                               .type = type,
                               .shape = std::move(shape)}));
  return inputs.back();
}

BufferId Program::add_output(std::string name, ir::Scalar type, model::Shape shape) {
  const std::int64_t size = dense_bytes(type, shape);
  outputs.push_back(add(*this, {.name = std::move(name),
                                .place = Place::Output,
                                .size_bytes = size,
                                .type = type,
                                .shape = std::move(shape)}));
  return outputs.back();
}

BufferId Program::add_weight(std::string name, model::Tensor constant) {
  const auto size = static_cast<std::int64_t>(constant.bytes().size());
  return add(*this, {.name = std::move(name),
                     .place = Place::Weight,
                     .size_bytes = size,
                     .constant = std::move(constant)});
}

BufferId Program::add_temporary(std::string name, std::int64_t size_bytes) {
  return add(*this, {.name = std::move(name), .size_bytes = size_bytes});
}

BufferId Program::add_view(std::string name, BufferId parent, std::int64_t offset_bytes,
                           std::int64_t size_bytes) {
  return add(*this, {.name = std::move(name),
                     .place = buffer(parent).place,
                     .size_bytes = size_bytes,
                     .parent = parent,
                     .offset_bytes = offset_bytes});
}

RootPlace root_of(const Program& program, BufferId buffer) {
  RootPlace root{buffer, 0};
  while (program.buffer(root.buffer).parent >= 0) {
    root.offset_bytes += program.buffer(root.buffer).offset_bytes;
    root.buffer = program.buffer(root.buffer).parent;
  }
  return root;
}

std::vector<Access> accesses_of(const Step& step) {
  std::vector<Access> accesses;
  match(
      step.action,
      [&](const KernelCall& call) {
        for (const Operand& operand : call.inputs) accesses.push_back({operand, false});
        for (const Operand& operand : call.outputs) accesses.push_back({operand, true});
      },
      [&](const Copy& copy) { accesses = {{copy.from, false}, {copy.to, true}}; },
      [&](const TopK& topk) {
        accesses = {{topk.from, false}, {topk.values, true}, {topk.places, true}};
      },
      [](const Loop&) {});
  return accesses;
}

std::vector<int> loops_around(const Program& program) {
  std::vector<int> around(program.steps.size(), -1);
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const auto* loop = std::get_if<Loop>(&program.steps[i].action);
    if (loop == nullptr) continue;
    check(loop->steps >= 0 && i + static_cast<std::size_t>(loop->steps) < program.steps.size(),
          "a loop's steps follow it");
    for (int k = 1; k <= loop->steps; ++k)
      around[i + static_cast<std::size_t>(k)] = static_cast<int>(i);
  }
  return around;
}

}  // namespace hone::artefact
