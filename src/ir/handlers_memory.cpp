#include <fmt/format.h>

#include <algorithm>

#include "ir/handlers.h"
#include "ir/runner.h"

namespace hone::ir::bytecode {
namespace {

void check_lane(const Instruction& in, const Machine& m, std::int32_t lane) {
  const std::int64_t index = m.slots[in.a + lane].i;
  if (index >= 0 && index < in.limit) return;
  m.fail(in, fmt::format("index {} of {} is {}, outside of [0, {})", in.value,
                         m.runner->buffer(in.which).name, index, in.limit));
}

template <AccessMode mode>
std::int64_t element_of(const Instruction& in, const Machine& m, std::int32_t lane) {
  if constexpr (mode == AccessMode::Wide) return m.slots[in.a].i * in.lanes + lane;
  return m.slots[in.a + lane].i;
}

template <Scalar scalar, AccessMode mode>
const Instruction* load_lanes(const Instruction& in, Machine& m) {
  const Memory& memory = m.memories[in.which];
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    if (mode == AccessMode::Masked && m.slots[in.c + lane].i == 0) {
      m.slots[in.dst + lane].i = 0;
      continue;
    }
    const std::int64_t element = element_of<mode>(in, m, lane);
    m.check_read(in, memory, element);
    m.slots[in.dst + lane] = read_number(scalar, memory.data + element * size_bytes(scalar));
  }
  return &in + 1;
}

template <Scalar scalar, AccessMode mode>
const Instruction* store_lanes(const Instruction& in, Machine& m) {
  const Memory& memory = m.memories[in.which];
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    const std::int64_t element = element_of<mode>(in, m, lane);
    m.check_write(in, memory, element);
    write_number(scalar, memory.data + element * size_bytes(scalar), m.slots[in.b + lane]);
  }
  return &in + 1;
}

template <AccessMode mode, std::size_t... scalar>
constexpr auto all_loads(std::index_sequence<scalar...>) {
  return std::array<Handler, sizeof...(scalar)>{&load_lanes<static_cast<Scalar>(scalar), mode>...};
}
template <AccessMode mode, std::size_t... scalar>
constexpr auto all_stores(std::index_sequence<scalar...>) {
  return std::array<Handler, sizeof...(scalar)>{&store_lanes<static_cast<Scalar>(scalar), mode>...};
}
using Scalars = std::make_index_sequence<static_cast<std::size_t>(Scalar::F64) + 1>;

}  // namespace

const Instruction* check_index(const Instruction& in, Machine& m) {
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) check_lane(in, m, lane);
  return &in + 1;
}

const Instruction* check_index_masked(const Instruction& in, Machine& m) {
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    if (m.slots[in.c + lane].i != 0) check_lane(in, m, lane);
  }
  return &in + 1;
}

Handler load_handler(Scalar scalar, AccessMode mode) {
  static constexpr std::array kHandlers = {all_loads<AccessMode::Lanes>(Scalars()),
                                           all_loads<AccessMode::Masked>(Scalars()),
                                           all_loads<AccessMode::Wide>(Scalars())};
  return kHandlers[static_cast<std::size_t>(mode)][static_cast<std::size_t>(scalar)];
}

Handler store_handler(Scalar scalar, AccessMode mode) {
  static constexpr auto kLanes = all_stores<AccessMode::Lanes>(Scalars());
  static constexpr auto kWide = all_stores<AccessMode::Wide>(Scalars());
  return (mode == AccessMode::Wide ? kWide : kLanes)[static_cast<std::size_t>(scalar)];
}

const Instruction* forget_contents(const Instruction& in, Machine& m) {
  const Memory& memory = m.memories[in.which];
  std::fill_n(memory.written, memory.elements, std::uint8_t{0});
  return &in + 1;
}

const Instruction* begin_loop(const Instruction& in, Machine& m) {
  const std::int64_t min = m.slots[in.a].i;
  m.slots[in.dst].i = min;
  m.slots[in.c].i = min + m.slots[in.b].i;
  return m.slots[in.b].i > 0 ? &in + 1 : &in + in.value;
}

const Instruction* next_iteration(const Instruction& in, Machine& m) {
  return ++m.slots[in.dst].i < m.slots[in.c].i ? &in + in.value : &in + 1;
}

const Instruction* jump(const Instruction& in, Machine&) { return &in + in.value; }

const Instruction* jump_unless(const Instruction& in, Machine& m) {
  return m.slots[in.a].i == 0 ? &in + in.value : &in + 1;
}

const Instruction* bind_thread(const Instruction& in, Machine& m) {
  const std::int64_t number = m.position[static_cast<std::size_t>(in.which)];
  m.slots[in.dst].i = number;
  return number < in.limit ? &in + 1 : &in + in.value;
}

const Instruction* start_launch(const Instruction& in, Machine& m) {
  m.runner->launch(in, m);
  return &in + in.value;
}

const Instruction* stop(const Instruction& in, Machine& m) {
  m.stopped_at = &in;
  return nullptr;
}

const Instruction* finish(const Instruction&, Machine& m) {
  m.stopped_at = nullptr;
  return nullptr;
}

}  // namespace hone::ir::bytecode
