// A child process.
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"

namespace hone {

// Killed and waited for when its owner goes, so that none is left behind, not even as a zombie.
class Process {
 public:
  // Starts `program` in a process group of its own (Ctrl-C is the parent's business) with nothing
  // open but `inherited`, which becomes its descriptor 3, and standard error. UserError when it
  // cannot be started.
  static Process start(const std::string& program, const std::vector<std::string>& arguments,
                       const Descriptor& inherited);
  Process() = default;
  ~Process() { kill(); }
  Process(Process&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Process& operator=(Process&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }

  bool running() const { return id_ > 0; }
  pid_t id() const { return id_; }
  // Ends it at once, if it has not ended by itself, and says how it ended: "exit code 1", "signal 11".
  std::string kill();
  // Waits for its end and says how it ended.
  std::string wait();

 private:
  explicit Process(pid_t id) : id_(id) {}
  pid_t id_ = -1;
};

inline constexpr int kInheritedDescriptor = 3;

}  // namespace hone
