#include "cli/train_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/process.h"
#include "cli/exit_code.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kLookEveryMs = 200;

// The next bytes, empty at the end; asks again and again whether to stop, because a read would wait.
std::string read_some(const Descriptor& from, const Process& process, const std::atomic<bool>& stop,
                      bool& stop_passed_on) {
  for (;;) {
    if (stop && !stop_passed_on) {
      ::kill(process.id(), SIGTERM);
      stop_passed_on = true;
    }
    pollfd waited{from.get(), POLLIN, 0};
    if (::poll(&waited, 1, kLookEveryMs) <= 0) continue;
    char bytes[4096];
    const ssize_t count = ::read(from.get(), bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    return count <= 0 ? std::string() : std::string(bytes, static_cast<std::size_t>(count));
  }
}

// "exit code 2" -> 2; a signal is a bug, or the lack of memory.
int exit_code_of(const std::string& ending) {
  constexpr std::string_view kExit = "exit code ";
  if (ending.starts_with(kExit)) return std::atoi(ending.c_str() + kExit.size());
  throw UserError("hone-train was ended by " + ending,
                  "if memory is short, set a smaller batch; --resume goes on from the checkpoint");
}

}  // namespace

std::string find_train_program() {
  constexpr const char* kName = "hone-train";
  if (const char* set = std::getenv("HONE_TRAIN")) return set;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& folder : {here, here / "train"}) {
    if (fs::exists(folder / kName)) return folder / kName;
  }
  throw UserError(fmt::format("{} is not in {}", kName, here.string()),
                  "install libtorch (libtorch-dev) and build hone again, or set HONE_TRAIN to the path "
                  "of the program; trees (--kind xgboost) are trained without it");
}

int run_train_program(const std::vector<std::string>& arguments, const std::atomic<bool>& stop,
                      const std::function<void(const std::string& line)>& use) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw UserError("there are no file descriptors left");
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  std::vector<std::string> all = arguments;
  all.insert(all.end(), {"--progress-fd", std::to_string(kInheritedDescriptor)});
  Process process = Process::start(find_train_program(), all, theirs);
  theirs = Descriptor();
  std::string waiting;
  bool stop_passed_on = false;
  for (std::string bytes; !(bytes = read_some(ours, process, stop, stop_passed_on)).empty();) {
    waiting += bytes;
    for (std::size_t end; (end = waiting.find('\n')) != std::string::npos;) {
      use(waiting.substr(0, end));
      waiting.erase(0, end + 1);
    }
  }
  return exit_code_of(process.wait());
}

}  // namespace hone::cli
