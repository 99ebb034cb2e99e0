// C files to kernels, with the system's C compiler.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "codegen/describe.h"
#include "codegen/image.h"
#include "codegen/kernel.h"

namespace hone::codegen {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each build, gone with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "hone-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw UserError(fmt::format("cannot make a folder {}: {}", pattern, std::strerror(errno)));
    }
    path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  fs::path path;
};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_native(target::Arch arch) {
#if defined(__aarch64__)
  return arch == target::Arch::Aarch64;
#else
  return arch == target::Arch::X86_64;
#endif
}

// $HONE_CC, or the compiler that the system calls its own, or the cross compiler for another machine.
std::string compiler_for(const target::Target& target) {
  if (const char* chosen = std::getenv("HONE_CC"); chosen != nullptr && *chosen != '\0') return chosen;
  if (is_native(target.arch)) return "cc";
  return target.arch == target::Arch::Aarch64 ? "aarch64-linux-gnu-gcc" : "x86_64-linux-gnu-gcc";
}

// "+avx2,-gfni" as "-mavx2 -mno-gfni": compilers know features by LLVM's names, but not always its
// cpus.
std::vector<std::string> machine_options(const target::Target& target) {
  if (target.arch == target::Arch::Aarch64) return {"-mcpu=" + target.cpu};
  std::vector<std::string> options = {fmt::format("-mprefer-vector-width={}", target.vector_bits)};
  for (std::string_view rest = target.features; !rest.empty();) {
    const std::string_view feature = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), feature.size() + 1));
    options.push_back(fmt::format("-m{}{}", feature.front() == '-' ? "no-" : "", feature.substr(1)));
  }
  return options;
}

std::vector<std::string> command_for(const target::Target& target, const fs::path& folder) {
  std::vector<std::string> command = {compiler_for(target), "-std=gnu11", "-O3", "-w", "-c", "-fPIC"};
  const std::vector<std::string> machine = machine_options(target);
  command.insert(command.end(), machine.begin(), machine.end());
  // Multiply-adds are fused, integers wrap, and nothing is called or written outside the image.
  for (const char* option :
       {"-ffp-contract=fast", "-fwrapv", "-fno-math-errno", "-fno-trapping-math", "-ffreestanding",
        "-fno-tree-loop-distribute-patterns", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
        "-fno-exceptions", "-fvisibility=hidden"}) {
    command.emplace_back(option);
  }
  command.insert(command.end(), {"-o", folder / "kernel.o", folder / "kernel.c"});
  return command;
}

// The exit status; what the command prints goes to `log`. -1 when it could not be started.
int run_command(const std::vector<std::string>& command, const fs::path& log) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t id = -1;
  const int error = posix_spawnp(&id, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return -1;
  int status = 0;
  while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

Kernel build_c(const ir::Program& program, const target::Target& target) {
  const MemoryPlan plan = plan_memory(program);
  Kernel kernel = describe(program, plan);
  const TemporaryFolder folder;
  std::ofstream(folder.path / "kernel.c") << print_c(program, target);
  const std::vector<std::string> command = command_for(target, folder.path);
  const int status = run_command(command, folder.path / "log");
  if (status < 0) {
    throw UserError(fmt::format("there is no C compiler {}", command[0]),
                    "install one, or name it in the environment variable HONE_CC");
  }
  if (status != 0) {
    throw UserError(fmt::format("{} failed on the C of {}:\n{}", command[0], program.name,
                                read_file(folder.path / "log")),
                    "the C back end needs GCC 12 or Clang 14, or later");
  }
  const std::string object = read_file(folder.path / "kernel.o");
  Image image = link_image(std::as_bytes(std::span(object)));
  kernel.image = std::move(image.bytes);
  kernel.entry = image.entry;
  return kernel;
}

}  // namespace hone::codegen
