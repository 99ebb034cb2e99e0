// The program hone-train as hone runs it: in a process of its own, so that libtorch is never loaded
// here.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace hone::cli {

// Beside this program, or what HONE_TRAIN names. UserError when it was not built.
std::string find_train_program();

// Runs it with these arguments and gives each line of its progress to `use`. When `stop` becomes true
// it is asked to end and does so after writing what it has. Returns its exit code; what it says of
// errors goes to standard error.
int run_train_program(const std::vector<std::string>& arguments, const std::atomic<bool>& stop,
                      const std::function<void(const std::string& line)>& use);

}  // namespace hone::cli
