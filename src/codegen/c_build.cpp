// C files to kernels, with the system's C compiler.
#include <fstream>

#include "base/temporary_folder.h"
#include "codegen/c_compiler.h"
#include "codegen/describe.h"
#include "codegen/image.h"
#include "codegen/kernel.h"

namespace hone::codegen {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Kernel build_c(const ir::Program& program, const target::Target& target) {
  const MemoryPlan plan = plan_memory(program);
  Kernel kernel = describe(program, plan);
  const TemporaryFolder folder;
  const std::filesystem::path source = folder.path() / "kernel.c", object = folder.path() / "kernel.o";
  std::ofstream(source) << print_c(program, target);
  std::vector<std::string> arguments = c_options(target);
  // Nothing is called or written outside the image.
  arguments.insert(arguments.end(), {"-ffreestanding", "-fno-stack-protector", "-fno-exceptions",
                                     "-fno-asynchronous-unwind-tables", "-fvisibility=hidden", "-c",
                                     source, "-o", object});
  run_c_compiler(target, arguments, "the C of " + program.name);
  const std::string bytes = read_file(object);
  Image image = link_image(std::as_bytes(std::span(bytes)));
  kernel.image = std::move(image.bytes);
  kernel.entry = image.entry;
  return kernel;
}

}  // namespace hone::codegen
