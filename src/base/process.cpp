#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace hone {
namespace {

// Frees what posix_spawn needs, whichever way the scope is left.
struct SpawnSettings {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  SpawnSettings() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

}  // namespace

Process Process::start(const std::string& program, const std::vector<std::string>& arguments,
                       const Descriptor& inherited) {
  SpawnSettings settings;
  posix_spawn_file_actions_adddup2(&settings.files, inherited.get(), kInheritedDescriptor);
  posix_spawn_file_actions_addopen(&settings.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&settings.files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&settings.files, kInheritedDescriptor + 1);
  posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&settings.attributes, 0);

  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t id = -1;
  const int error =
      posix_spawn(&id, program.c_str(), &settings.files, &settings.attributes, argv.data(), environ);
  if (error != 0) throw UserError(fmt::format("cannot start {}: {}", program, std::strerror(error)));
  return Process(id);
}

std::string Process::kill() {
  if (!running()) return "not running";
  ::kill(id_, SIGKILL);
  return wait();
}

std::string Process::wait() {
  if (!running()) return "not running";
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                             : fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace hone
