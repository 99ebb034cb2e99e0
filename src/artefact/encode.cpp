#include "artefact/encode.h"

#include <algorithm>
#include <cstring>

#include "artefact/verify.h"
#include "base/error.h"
#include "base/match.h"
#include "runtime/format.h"
#include "runtime/hone.h"

namespace hone::artefact {
namespace {

static_assert(static_cast<int>(ir::Scalar::Bool) == HONE_BOOL &&
                  static_cast<int>(ir::Scalar::U8) == HONE_UINT8 &&
                  static_cast<int>(ir::Scalar::F16) == HONE_FLOAT16 &&
                  static_cast<int>(ir::Scalar::F64) == HONE_FLOAT64,
              "element types have the numbers of the C API");

// Bytes to which tables and texts are added, the header first.
class Section {
 public:
  Section() : bytes_(sizeof(runtime::ProgramHeader)) {}

  runtime::Text text(std::string_view text) {
    const auto offset = static_cast<std::uint32_t>(bytes_.size());
    append(text.data(), text.size());
    bytes_.push_back(std::byte{0});
    return {offset, static_cast<std::uint32_t>(text.size())};
  }
  template <class Entry>
  runtime::Table table(const std::vector<Entry>& entries) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    const auto offset = static_cast<std::uint32_t>(bytes_.size());
    append(entries.data(), entries.size() * sizeof(Entry));
    return {offset, static_cast<std::uint32_t>(entries.size())};
  }
  std::vector<std::byte> finish(const runtime::ProgramHeader& header) {
    std::memcpy(bytes_.data(), &header, sizeof header);
    return std::move(bytes_);
  }

 private:
  void append(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  std::vector<std::byte> bytes_;
};

// "+avx2,-avx512f,+fma" -> "avx2 fma": what is switched off asks for nothing.
std::string needed_features(const std::string& features) {
  std::string needed;
  for (std::size_t begin = 0; begin < features.size();) {
    const std::size_t end = std::min(features.find(',', begin), features.size());
    if (features[begin] == '+') {
      needed += needed.empty() ? "" : " ";
      needed += features.substr(begin + 1, end - begin - 1);
    }
    begin = end + 1;
  }
  return needed;
}

class Encoder {
 public:
  Encoder(const Variant& variant, const MemoryPlan& plan, Weights& weights)
      : variant_(variant), program_(variant.program), plan_(plan), weights_(weights) {}

  Encoded run() {
    runtime::ProgramHeader header{};
    header.architecture = variant_.target.arch == target::Arch::X86_64 ? runtime::Architecture::X86_64
                                                                       : runtime::Architecture::Aarch64;
    header.tuned_threads = static_cast<std::uint32_t>(variant_.threads);
    header.target = section_.text(target::to_string(variant_.target));
    header.features = section_.text(needed_features(variant_.target.features));
    header.arena_bytes = static_cast<std::uint64_t>(plan_.arena_bytes);
    const std::vector<runtime::Port> inputs = ports(program_.inputs), outputs = ports(program_.outputs);
    header.inputs = section_.table(inputs);
    header.outputs = section_.table(outputs);
    header.kernels = section_.table(kernels());
    const std::vector<runtime::StepEntry> encoded = steps();
    header.steps = section_.table(encoded);
    header.operands = section_.table(operands_);
    return {section_.finish(header), std::move(images_)};
  }

 private:
  std::vector<runtime::Port> ports(const std::vector<BufferId>& buffers) {
    std::vector<runtime::Port> out;
    for (const BufferId id : buffers) {
      const Buffer& buffer = program_.buffer(id);
      runtime::Port port{};
      port.name = section_.text(buffer.name);
      port.type = static_cast<std::uint32_t>(buffer.type);
      port.dims = section_.table(buffer.shape);
      out.push_back(port);
    }
    return out;
  }

  std::vector<runtime::KernelEntry> kernels() {
    std::vector<runtime::KernelEntry> out;
    for (const KernelUse& use : variant_.kernels) {
      const codegen::Kernel& kernel = use.kernel;
      images_.resize((images_.size() + runtime::kImageAlignment - 1) / runtime::kImageAlignment *
                     runtime::kImageAlignment);
      runtime::KernelEntry entry{};
      entry.name = section_.text(kernel.name);
      entry.image_offset = images_.size();
      entry.image_bytes = kernel.image.size();
      entry.entry = kernel.entry;
      entry.scratch_bytes = static_cast<std::uint64_t>(kernel.scratch_bytes);
      entry.thread_scratch_bytes = static_cast<std::uint64_t>(kernel.thread_scratch_bytes);
      images_.insert(images_.end(), kernel.image.begin(), kernel.image.end());
      out.push_back(entry);
    }
    return out;
  }

  std::vector<runtime::StepEntry> steps() {
    std::vector<runtime::StepEntry> out;
    for (const Step& step : program_.steps) {
      runtime::StepEntry entry{};
      entry.label = section_.text(step.label);
      entry.flop = step.flop;
      entry.first_operand = static_cast<std::uint32_t>(operands_.size());
      const std::vector<Access> accesses = accesses_of(step);
      const std::vector<std::int64_t> bytes = operand_bytes(step, variant_.kernels);
      for (std::size_t i = 0; i < accesses.size(); ++i) add_operand(accesses[i], bytes[i]);
      entry.operand_count = static_cast<std::uint32_t>(accesses.size());
      set_action(entry, step);
      out.push_back(entry);
    }
    return out;
  }

  static void set_action(runtime::StepEntry& entry, const Step& step) {
    match(
        step.action,
        [&](const KernelCall& call) {
          entry.kind = runtime::StepKind::Kernel;
          entry.kernel = static_cast<std::uint32_t>(call.kernel);
        },
        [&](const Copy& copy) {
          entry.kind = runtime::StepKind::Copy;
          entry.copy = {copy.rows, copy.row_bytes, copy.from_stride_bytes, copy.to_stride_bytes};
        },
        [&](const TopK& topk) {
          entry.kind = runtime::StepKind::TopK;
          entry.topk = {topk.outer,
                        topk.extent,
                        topk.inner,
                        topk.k,
                        static_cast<std::uint32_t>(topk.type),
                        topk.largest ? 1U : 0U};
        },
        [&](const Loop& loop) {
          entry.kind = runtime::StepKind::Loop;
          entry.loop = {loop.trips, loop.steps};
        });
  }

  void add_operand(const Access& access, std::int64_t bytes) {
    const RootPlace root = root_of(program_, access.operand.buffer);
    const Buffer& buffer = program_.buffer(root.buffer);
    runtime::Operand operand{};
    operand.region = region(root.buffer);
    operand.is_written = access.is_written ? 1 : 0;
    operand.offset_bytes = root.offset_bytes + access.operand.offset_bytes;
    if (buffer.place == Place::Arena) {
      operand.offset_bytes += plan_.offsets[static_cast<std::size_t>(root.buffer)];
    }
    if (buffer.place == Place::Weight) operand.offset_bytes += weights_.add(*buffer.constant);
    operand.stride_bytes = access.operand.stride_bytes;
    operand.size_bytes = static_cast<std::uint64_t>(bytes);
    operands_.push_back(operand);
  }

  std::uint32_t region(BufferId root) const {
    using runtime::Region;
    const auto port = [&](const std::vector<BufferId>& ports, std::size_t before) {
      const auto place = std::ranges::find(ports, root);
      check(place != ports.end(), "inputs and outputs are listed");
      return static_cast<std::uint32_t>(static_cast<std::size_t>(Region::FirstPort) + before +
                                        static_cast<std::size_t>(place - ports.begin()));
    };
    switch (program_.buffer(root).place) {
      case Place::Input:
        return port(program_.inputs, 0);
      case Place::Output:
        return port(program_.outputs, program_.inputs.size());
      case Place::Weight:
        return static_cast<std::uint32_t>(Region::Weights);
      case Place::Arena:
        return static_cast<std::uint32_t>(Region::Arena);
    }
    fail("a buffer without a place");
  }

  const Variant& variant_;
  const Program& program_;
  const MemoryPlan& plan_;
  Weights& weights_;
  Section section_;
  std::vector<std::byte> images_;
  std::vector<runtime::Operand> operands_;
};

}  // namespace

Encoded encode(const Variant& variant, const MemoryPlan& plan, Weights& weights) {
  return Encoder(variant, plan, weights).run();
}

}  // namespace hone::artefact
