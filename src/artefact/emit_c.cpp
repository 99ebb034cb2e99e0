#include "artefact/emit_c.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "artefact/c_frame.h"
#include "base/error.h"
#include "codegen/c_unit.h"
#include "codegen/kernel.h"
#include "runtime/program.h"

namespace hone::artefact {
namespace {

using runtime::StepKind;

class Emitter {
 public:
  Emitter(const File& file, std::span<const ir::Program> loops, std::string name)
      : program_(file.sections[1].bytes), loops_(loops), name_(std::move(name)) {
    check(file.sections[1].kind == runtime::SectionKind::Program, "the program follows the manifest");
  }

  CFiles run() {
    const std::string ports =
        tensors("input", program_.inputs()) + tensors("output", program_.outputs());
    std::string steps = all_steps();
    return {c_header_frame(name_, program_.inputs().size(), program_.outputs().size()),
            codegen::print_c_kernels(loops_, name_) + includes() + embedded("weights", ".rodata") +
                (loops_.empty() ? embedded("code", ".text") : "") + sizes() + can_run() + ports +
                c_pool() + helpers_ + c_model_frame(name_) + steps};
  }

 private:
  std::string includes() const {
    return fmt::format(
        "\n#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
        "#include <string.h>\n\n#include \"{}.h\"\n",
        name_);
  }

  // The bytes of the file NAME.KIND, as NAME_KIND. Pages are as large as code may assume.
  std::string embedded(const std::string& kind, const std::string& section) const {
    return fmt::format(
        "\n__asm__(\".pushsection {0}\\n.balign {3}\\n.globl {1}_{2}\\n.hidden "
        "{1}_{2}\\n{1}_{2}:\\n\"\n"
        "        \".incbin \\\"{1}.{2}\\\"\\n.balign {3}\\n.popsection\\n\");\n"
        "extern const char {1}_{2}[];\n",
        section, name_, kind, runtime::kImageAlignment);
  }

  std::string sizes() const {
    std::uint64_t shared = 64, thread = 64;
    for (const runtime::KernelEntry& kernel : program_.kernels()) {
      shared = std::max(shared, kernel.scratch_bytes);
      thread = std::max(thread, kernel.thread_scratch_bytes);
    }
    const auto whole = [](std::uint64_t bytes) { return (bytes + 63) / 64 * 64; };
    return fmt::format(
        "\n#define ARENA_BYTES {}ul\n#define SCRATCH_BYTES {}ul\n#define THREAD_SCRATCH_BYTES {}ul\n",
        whole(std::max<std::uint64_t>(program_.header().arena_bytes, 1)), whole(shared), whole(thread));
  }

  // C is compiled to what its compiler was told; machine code asks for what it was made for.
  std::string can_run() const {
    std::string tests;
    const std::string features = program_.text(program_.header().features);
    for (std::size_t begin = 0; loops_.empty() && begin < features.size();) {
      const std::size_t end = std::min(features.find(' ', begin), features.size());
      tests += fmt::format(" && __builtin_cpu_supports(\"{}\")", features.substr(begin, end - begin));
      begin = end + 1;
    }
    return fmt::format(
        "\nstatic int can_run(void) {{\n#if defined(__x86_64__)\n  return 1{};\n#else\n  return 1;\n"
        "#endif\n}}\n",
        tests);
  }

  std::string tensors(const std::string& kind, std::span<const runtime::Port> ports) const {
    std::string list;
    for (const runtime::Port& port : ports) {
      const auto dims = program_.dims(port);
      const auto type = static_cast<ir::Scalar>(port.type);
      list += fmt::format("    {{\"{}\", \"{}\", {}, (const int64_t[]){{{}}}, {}}},\n",
                          escaped(program_.text(port.name)), ir::to_string({type, 1}), dims.size(),
                          dims.empty() ? "0" : fmt::format("{}", fmt::join(dims, ", ")),
                          size_bytes(program_, port));
    }
    return fmt::format("\nconst {0}_tensor {0}_{1}[] = {{\n{2}    {{0}}}};\n", name_, kind, list);
  }

  static std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
      const bool is_plain = std::isprint(static_cast<unsigned char>(c)) != 0 && c != '"' && c != '\\';
      out += is_plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
    return out;
  }

  std::string all_steps() {
    std::string body;
    std::int64_t left = 0;  // steps until the loop that is open ends
    for (const runtime::StepEntry& step : program_.steps()) {
      body += step.kind == StepKind::Loop
                  ? fmt::format("  for (int64_t i = 0; i < {}; ++i) {{\n", step.loop.trips)
                  : this->step(step);
      if (step.kind == StepKind::Loop) {
        left = step.loop.steps;
      } else if (left > 0 && --left == 0) {
        body += "  }\n";
      }
    }
    return fmt::format(
        "\nvoid {0}_run({0}_model* model, const void* const* inputs, void* const* outputs) {{\n"
        "  const int64_t i = 0;\n  (void)i, (void)inputs, (void)outputs;\n{1}}}\n",
        name_, body);
  }

  std::string step(const runtime::StepEntry& step) {
    std::vector<std::string> at;
    for (const runtime::Operand& operand : program_.operands(step)) at.push_back(address(operand));
    const std::string label = fmt::format("  // {}\n", escaped(program_.text(step.label)));
    if (step.kind == StepKind::Copy) return label + copy(step.copy, at);
    if (step.kind == StepKind::TopK) return label + top_k(step.topk, at);
    return fmt::format(
        "{}  {{\n    void* const at[] = {{{}}};\n    const struct hone_call call = {{at, "
        "model->scratch, "
        "&model->table}};\n    {}(&call);\n  }}\n",
        label, fmt::join(at, ",\n                        "), kernel(step.kernel));
  }

  std::string kernel(std::uint32_t number) const {
    if (!loops_.empty()) return fmt::format("kernel_{}", number);
    const runtime::KernelEntry& entry = program_.kernels()[number];
    return fmt::format("((void (*)(const struct hone_call*))({}_code + {}))", name_,
                       entry.image_offset + entry.entry);
  }

  std::string address(const runtime::Operand& operand) const {
    std::string base;
    const std::size_t inputs = program_.inputs().size();
    const auto first = static_cast<std::uint32_t>(runtime::Region::FirstPort);
    if (operand.region == static_cast<std::uint32_t>(runtime::Region::Arena)) {
      base = "model->arena";
    } else if (operand.region == static_cast<std::uint32_t>(runtime::Region::Weights)) {
      base = fmt::format("(char*){}_weights", name_);
    } else if (operand.region - first < inputs) {
      base = fmt::format("(char*)inputs[{}]", operand.region - first);
    } else {
      base = fmt::format("(char*)outputs[{}]", operand.region - first - inputs);
    }
    if (operand.offset_bytes != 0) base += fmt::format(" + {}", operand.offset_bytes);
    return operand.stride_bytes == 0 ? base : fmt::format("{} + i * ({})", base, operand.stride_bytes);
  }

  static std::string copy(const runtime::CopyRows& copy, const std::vector<std::string>& at) {
    if (copy.rows == 1) return fmt::format("  memcpy({}, {}, {});\n", at[1], at[0], copy.row_bytes);
    return fmt::format(
        "  for (int64_t row = 0; row < {}; ++row) memcpy({} + row * {}, {} + row * {}, {});\n",
        copy.rows, at[1], copy.to_stride_bytes, at[0], copy.from_stride_bytes, copy.row_bytes);
  }

  std::string top_k(const runtime::TopKOf& topk, const std::vector<std::string>& at) {
    const auto scalar = static_cast<ir::Scalar>(topk.type);
    if (codegen::is_small_float({scalar, 1}))
      throw UserError("C has no type for the elements of a TopK of 16-bit floats",
                      "cast them to float32 before it");
    const std::string type = codegen::memory_type(scalar);
    if (defined_.insert(type).second) helpers_ += c_top_k(type);
    return fmt::format(
        "  top_k_{0}((const {0}*)({1}), ({0}*)({2}), (int64_t*)({3}), {4}, {5}, {6}, {7}, "
        "{8});\n",
        type, at[0], at[1], at[2], topk.outer, topk.extent, topk.inner, topk.k, topk.largest);
  }

  runtime::Program program_;
  std::span<const ir::Program> loops_;
  std::string name_;
  std::string helpers_;
  std::set<std::string> defined_;
};

}  // namespace

CFiles emit_c(const File& file, std::span<const ir::Program> loops, const std::string& name) {
  return Emitter(file, loops, name).run();
}

std::string c_name(const std::string& stem) {
  std::string name;
  for (const char c : stem) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  const bool begins_well = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  return begins_well ? name : "model_" + name;
}

}  // namespace hone::artefact
