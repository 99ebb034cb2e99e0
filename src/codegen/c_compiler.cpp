#include "codegen/c_compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "base/temporary_folder.h"

namespace hone::codegen {
namespace {

namespace fs = std::filesystem;

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

std::vector<std::string> c_options(const target::Target& target) {
  std::vector<std::string> options = {"-std=gnu11", "-O3", "-w", "-fPIC"};
  const std::vector<std::string> machine = machine_options(target);
  options.insert(options.end(), machine.begin(), machine.end());
  // Multiply-adds are fused, integers wrap, and nothing is called that the code does not call.
  for (const char* option : {"-ffp-contract=fast", "-fwrapv", "-fno-math-errno", "-fno-trapping-math",
                             "-fno-tree-loop-distribute-patterns"}) {
    options.emplace_back(option);
  }
  return options;
}

void run_c_compiler(const target::Target& target, const std::vector<std::string>& arguments,
                    const std::string& what) {
  std::vector<std::string> command = {compiler_for(target)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const TemporaryFolder folder;
  const fs::path log = folder.path() / "log";
  const int status = run_command(command, log);
  if (status < 0) {
    throw UserError(fmt::format("there is no C compiler {}", command[0]),
                    "install one, or name it in the environment variable HONE_CC");
  }
  if (status == 0) return;
  std::ifstream in(log);
  throw UserError(fmt::format("{} failed on {}:\n{}", command[0], what,
                              std::string(std::istreambuf_iterator<char>(in), {})),
                  "the C of hone needs GCC 12 or Clang 14, or later");
}

}  // namespace hone::codegen
