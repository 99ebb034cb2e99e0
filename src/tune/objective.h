// What the tuning of many tasks is for: the latencies of networks, and one number made of them that is
// to become small.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace hone::tune {

inline constexpr double kNotMeasured = std::numeric_limits<double>::infinity();

// A network is a sum of groups, of which each takes the fastest of its options: attention as one task
// or as three. An option is a sum of parts, and a part takes the fastest of its tasks: a convolution
// worked out directly, by Winograd, ... This is where a task stands in one of them.
struct TaskUse {
  int network = 0;
  int group = 0;       // within its network
  double weight = 1;   // how often the group runs in one execution
  double extra_s = 0;  // what taking this option costs elsewhere: conversions of layouts
  int option = 0, part = 0;
};

// What a scheduler knows of a task: numbers only.
struct SchedulerTask {
  double flops = 0;
  std::string tag;        // tasks of one tag are alike, see gradient_scheduler.h; empty: like no other
  double expected_s = 0;  // a guess of its latency before it is measured: untuned, or a model's
  double floor_s = 0;     // it cannot be faster, for example its flops at the machine's peak
  std::vector<TaskUse> uses;
};

// Ansor's four, of the latencies of the networks.
struct Objective {
  enum class Kind : std::uint8_t {
    Sum,           // f1
    Requirements,  // f2: a sum, in which a network counts with no less than its required latency
    Speedup,       // f3: the geometric mean of reference / latency, negative
    EarlyStop,     // f4: a sum, in which a network that has stopped improving keeps its latency
  };
  Kind kind = Kind::Sum;
  std::vector<double> requirement_s;  // one a network (f2)
  std::vector<double> reference_s;    // one a network (f3)
  int patience = 30;                  // rounds without improvement after which a network stops (f4)
};

// The latencies of networks from those of tasks. A task without a time has kNotMeasured.
class Networks {
 public:
  explicit Networks(std::span<const SchedulerTask> tasks);

  std::size_t count() const { return count_; }
  // One a network. A group without a time counts with the least that is expected of its alternatives.
  std::vector<double> latencies_s(std::span<const double> tasks_s) const;
  // Whether a task that ran in `seconds` could be taken anywhere: parts beside it that have no time yet
  // may take none.
  bool would_be_taken(int task, double seconds, std::span<const double> tasks_s) const;
  // How much of the networks a first round of the task is about: its parts of groups as fast as they
  // are known or expected to be. Less for an option that is expected to lie behind by some factor, and
  // a half, a third, ... when one, two, ... that it competes with have begun: the first one matters the
  // most.
  double stake_s(int task, std::span<const double> tasks_s, const std::vector<bool>& has_begun) const;

 private:
  struct Part {
    std::vector<int> tasks;
    std::vector<double> expected_s;
  };
  struct Option {
    double extra_s = 0;
    std::map<int, Part> parts;
  };
  struct Group {
    int network;
    double weight;
    std::map<int, Option> options;
  };
  static double measured_s(const Part& part, std::span<const double> tasks_s);
  static double measured_s(const Option& option, std::span<const double> tasks_s);
  static double measured_s(const Group& group, std::span<const double> tasks_s);
  static double known_s(const Group& group, std::span<const double> tasks_s);
  static double expected_s(const Option& option);
  // Tasks with a round that one of this part competes with: in the part itself and in other options.
  static std::ptrdiff_t begun_beside(const Group& group, int option, int part,
                                     const std::vector<bool>& has_begun);

  std::size_t count_ = 0;
  std::vector<Group> groups_;
};

// What is to become small. `stopped_s`: for each network the latency at which it stopped improving, 0
// while it still does (f4).
double value_of(const Objective& objective, std::span<const double> networks_s,
                std::span<const double> stopped_s);

}  // namespace hone::tune
