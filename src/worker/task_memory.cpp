#include "worker/task_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "worker/check.h"
#include "worker/inputs.h"

namespace hone::worker {
namespace {

constexpr int kPoison = 0xFF;
constexpr std::size_t kCacheLine = 64;

runtime::GuardedBuffer allocate(std::string_view name, std::size_t size_bytes) {
  runtime::GuardedBuffer buffer(size_bytes);
  if (buffer.data() == nullptr) {
    throw UserError(fmt::format("no memory for {}, {} bytes", name, size_bytes));
  }
  return buffer;
}

void flush(const runtime::GuardedBuffer& buffer) {
  for (std::size_t i = 0; i < buffer.size_bytes(); i += kCacheLine) {
#if defined(__x86_64__)
    __builtin_ia32_clflush(buffer.data() + i);
#elif defined(__aarch64__)
    asm volatile("dc civac, %0" ::"r"(buffer.data() + i) : "memory");
#endif
  }
}

// Copies an original tensor into packed order: one level of recursion a packed dimension, whole rows
// in the innermost.
class Packer {
 public:
  Packer(const std::vector<PackedDim>& dims, const BufferSpec& spec, const std::byte* from,
         std::byte* to)
      : dims_(dims),
        shape_(spec.shape),
        element_bytes_(ir::size_bytes(spec.type)),
        from_(from),
        to_(to),
        place_(shape_.size(), 0),
        pitch_(shape_.size(), 1) {
    for (std::size_t axis = shape_.size(); axis-- > 1;) pitch_[axis - 1] = pitch_[axis] * shape_[axis];
  }

  void run(std::size_t level = 0) {
    const PackedDim& dim = dims_[level];
    if (level + 1 == dims_.size()) return copy_row(dim);
    std::int64_t& coordinate = place_[static_cast<std::size_t>(dim.axis)];
    for (std::int64_t i = 0; i < dim.extent; ++i, coordinate += dim.stride) run(level + 1);
    coordinate -= dim.extent * dim.stride;
  }

 private:
  // How many of a row's elements exist: the tile grid reaches past the tensor, where zeros stand.
  std::int64_t existing(const PackedDim& dim) const {
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      if (place_[axis] >= shape_[axis]) return 0;
    }
    const auto axis = static_cast<std::size_t>(dim.axis);
    return std::min(dim.extent, (shape_[axis] - place_[axis] + dim.stride - 1) / dim.stride);
  }

  void copy_row(const PackedDim& dim) {
    const std::int64_t count = existing(dim);
    std::int64_t start = 0;
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) start += place_[axis] * pitch_[axis];
    const std::int64_t step = dim.stride * pitch_[static_cast<std::size_t>(dim.axis)];
    const std::byte* source = from_ + start * element_bytes_;
    if (step == 1) {
      std::memcpy(to_, source, static_cast<std::size_t>(count * element_bytes_));
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        std::memcpy(to_ + i * element_bytes_, source + i * step * element_bytes_,
                    static_cast<std::size_t>(element_bytes_));
      }
    }
    const std::int64_t missing = dim.extent - count;
    std::memset(to_ + count * element_bytes_, 0, static_cast<std::size_t>(missing * element_bytes_));
    to_ += dim.extent * element_bytes_;
  }

  const std::vector<PackedDim>& dims_;
  const std::vector<std::int64_t>& shape_;  // of the original
  std::int64_t element_bytes_;
  const std::byte* from_;
  std::byte* to_;
  std::vector<std::int64_t> place_, pitch_;  // of the original, one an axis
};

}  // namespace

TaskMemory::TaskMemory(Prepare task) : task_(std::move(task)), packed_(task_.buffers.size()) {
  check(task_.tolerances.size() == task_.buffers.size(), "one tolerance a buffer");
  for (std::size_t i = 0; i < task_.buffers.size(); ++i) {
    const BufferSpec& spec = task_.buffers[i];
    buffers_.push_back(allocate(spec.name, size_bytes(spec)));
    if (spec.role == Role::Output) continue;
    fill_random(buffers_[i].data(), spec.elements, task_.seed, static_cast<int>(i), spec.type);
    buffers_[i].seal();
  }
  for (const Sample& sample : task_.samples) {
    const auto buffer = static_cast<std::size_t>(sample.buffer);
    check(buffer < buffers_.size() && sample.element >= 0 &&
              sample.element < task_.buffers[buffer].elements,
          "a sample lies in a buffer");
  }
}

std::size_t TaskMemory::size_bytes(const BufferSpec& spec) const {
  return static_cast<std::size_t>(spec.elements) * static_cast<std::size_t>(ir::size_bytes(spec.type));
}

std::vector<void*> TaskMemory::arguments(const Code& code) {
  check(code.packing.empty() || code.packing.size() == buffers_.size(), "one packing a parameter");
  std::vector<void*> arguments;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    packed_[i].in_use = !code.packing.empty() && !code.packing[i].dims.empty();
    if (packed_[i].in_use) pack(static_cast<int>(i), code.packing[i]);
    arguments.push_back(packed_[i].in_use ? packed_[i].buffer.data() : buffers_[i].data());
  }
  return arguments;
}

void TaskMemory::pack(int parameter, const Packing& packing) {
  const auto index = static_cast<std::size_t>(parameter);
  const BufferSpec& spec = task_.buffers[index];
  Packed& packed = packed_[index];
  check(spec.role != Role::Output, "only inputs are packed");
  if (packed.buffer.data() != nullptr && packed.packing == packing) return;
  auto size = static_cast<std::size_t>(ir::size_bytes(spec.type));
  for (const PackedDim& dim : packing.dims) {
    check(dim.extent > 0 && dim.stride > 0 && dim.axis >= 0 &&
              static_cast<std::size_t>(dim.axis) < spec.shape.size(),
          "a packed dimension walks an axis of the original");
    size *= static_cast<std::size_t>(dim.extent);
  }
  packed.buffer = allocate(spec.name, size);
  packed.packing = packing;
  Packer(packing.dims, spec, buffers_[index].data(), packed.buffer.data()).run();
  packed.buffer.seal();
}

void* TaskMemory::scratch(const Code& code) {
  const std::int64_t wanted = code.scratch_bytes + code.thread_scratch_bytes * task_.threads;
  check(code.scratch_bytes >= 0 && code.thread_scratch_bytes >= 0, "scratch has a size");
  const auto size = static_cast<std::size_t>(wanted);
  if (scratch_.data() == nullptr || scratch_.size_bytes() != size) scratch_ = allocate("scratch", size);
  return scratch_.data();
}

void TaskMemory::poison() {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (task_.buffers[i].role != Role::Output) continue;
    std::memset(buffers_[i].data(), kPoison, buffers_[i].size_bytes());
  }
  if (scratch_.data() != nullptr) std::memset(scratch_.data(), kPoison, scratch_.size_bytes());
}

void TaskMemory::keep_as_reference() {
  expected_.assign(buffers_.size(), {});
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (task_.buffers[i].role != Role::Output) continue;
    expected_[i].assign(buffers_[i].data(), buffers_[i].data() + buffers_[i].size_bytes());
  }
}

std::string TaskMemory::wrong_answer() const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const BufferSpec& spec = task_.buffers[i];
    if (spec.role != Role::Output) continue;
    std::vector<Sample> samples;
    for (const Sample& sample : task_.samples) {
      if (sample.buffer == static_cast<int>(i)) samples.push_back(sample);
    }
    std::string fault = compare_samples(spec, buffers_[i].data(), samples, task_.tolerances[i]);
    if (fault.empty() && !expected_.empty()) {
      fault = compare_all(spec, buffers_[i].data(), expected_[i].data(), task_.tolerances[i]);
    }
    if (!fault.empty()) return fault;
  }
  return {};
}

std::string TaskMemory::damage() const {
  for (const Region& region : regions()) {
    switch (region.buffer->damage()) {
      case runtime::Damage::None:
        break;
      case runtime::Damage::Before:
        return "wrote out of bounds, before " + region.name;
      case runtime::Damage::After:
        return "wrote out of bounds, behind " + region.name;
    }
  }
  return {};
}

void TaskMemory::flush_constants() const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (task_.buffers[i].role != Role::Constant) continue;
    flush(packed_[i].in_use ? packed_[i].buffer : buffers_[i]);
  }
  __sync_synchronize();
}

std::vector<TaskMemory::Region> TaskMemory::regions() const {
  std::vector<Region> regions;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const bool packed = packed_[i].in_use;
    regions.push_back({task_.buffers[i].name, packed ? &packed_[i].buffer : &buffers_[i]});
  }
  regions.push_back({"scratch", &scratch_});
  return regions;
}

}  // namespace hone::worker
