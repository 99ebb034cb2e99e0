#include "artefact/emit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <ostream>

#include "artefact/build.h"
#include "artefact/emit_c.h"
#include "base/error.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "codegen/c_compiler.h"
#include "runtime/format.h"

namespace hone::artefact {
namespace {

namespace fs = std::filesystem;

void put(std::ostream& out, std::span<const std::byte> bytes) {
  out.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
}

void write_weights(const File& file, const std::string& path) {
  write_whole(path, [&](std::ostream& out) {
    const std::vector<std::byte> zeros(runtime::kBufferAlignment);
    for (const std::span<const std::byte> piece : file.weights.pieces()) {
      put(out, piece);
      put(out, std::span(zeros).first((zeros.size() - piece.size() % zeros.size()) % zeros.size()));
    }
  });
}

std::string name_of(const std::string& stem) { return c_name(fs::path(stem).filename().string()); }

// The C name is also the name of the files that C takes in.
std::string in_same_folder(const std::string& stem, const std::string& name) {
  return (fs::path(stem).parent_path() / name).string();
}

}  // namespace

std::vector<std::string> write_c(const Artefact& artefact, const std::string& stem) {
  std::vector<ir::Program> loops;
  for (const KernelUse& use : artefact.variants[0].kernels) {
    check(use.loops.has_value(), "kernels that become C have their loops");
    loops.push_back(*use.loops);
  }
  const File file = build(artefact);
  const std::string name = name_of(stem), path = in_same_folder(stem, name);
  const CFiles made = emit_c(file, loops, name);
  const std::string options =
      fmt::format("{}", fmt::join(codegen::c_options(artefact.variants[0].target), " "));
  write_whole(path + ".h", made.header);
  write_whole(path + ".c", fmt::format("// cc -c {} {}.c  (in this folder), and link with -pthread\n{}",
                                       options, name, made.source));
  write_weights(file, path + ".weights");
  return {path + ".c", path + ".h", path + ".weights"};
}

std::vector<std::string> write_shared_object(const Artefact& artefact, const std::string& stem) {
  const File file = build(artefact);
  const std::string name = name_of(stem), path = in_same_folder(stem, name);
  const CFiles made = emit_c(file, {}, name);
  const TemporaryFolder folder;
  const std::string inside = (folder.path() / name).string(), object = path + ".so.partial";
  write_whole(inside + ".h", made.header);
  write_whole(inside + ".c", made.source);
  write_weights(file, inside + ".weights");
  write_whole(inside + ".code", [&](std::ostream& out) { put(out, file.sections[2].bytes); });
  codegen::run_c_compiler(artefact.variants[0].target,
                          {"-std=gnu11", "-O2", "-w", "-shared", "-fPIC", "-pthread",
                           "-I" + folder.path().string(), inside + ".c", "-o", object},
                          "the frame of " + name);
  fs::rename(object, path + ".so");
  write_whole(path + ".h", made.header);
  return {path + ".so", path + ".h"};
}

}  // namespace hone::artefact
