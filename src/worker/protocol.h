// What is said between the program that tunes and the worker that runs its kernels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/type.h"
#include "worker/status.h"

namespace hone::worker {

// Raised with every change of a message: the two sides refuse each other when it differs.
inline constexpr std::uint32_t kProtocolVersion = 2;

enum class MessageKind : std::uint32_t { Prepare = 1, Reference = 2, Run = 3, Ready = 4, Outcome = 5 };

enum class Role : std::uint8_t { Input, Constant, Output };

// A parameter of the task's kernels in the task's own layout.
struct BufferSpec {
  std::string name;
  ir::Scalar type = ir::Scalar::F32;
  std::vector<std::int64_t> shape;
  std::int64_t elements = 0;  // from the first to one past the last that strides can reach
  Role role = Role::Input;

  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.name, self.type, self.shape, self.elements, self.role);
  }
};

// One element of an output as it ought to be, computed elsewhere from the same random inputs.
struct Sample {
  std::int32_t buffer = 0;
  std::int64_t element = 0;
  double expected = 0;

  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.buffer, self.element, self.expected);
  }
};

// Begins a task: its buffers are made, filled and kept until the next Prepare. Answered by Ready.
struct Prepare {
  static constexpr MessageKind kKind = MessageKind::Prepare;
  std::vector<BufferSpec> buffers;  // one a parameter, in the order of the kernels
  std::uint64_t seed = 0;           // of the inputs, see inputs.h
  std::vector<Sample> samples;
  std::vector<double> tolerances;  // one a buffer, see check.h
  std::int32_t threads = 1;
  std::vector<std::int32_t> cpus;  // thread i runs on cpus[i]; empty: anywhere
  bool real_time = true;           // SCHED_FIFO, where it is permitted

  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.buffers, self.seed, self.samples, self.tolerances, self.threads, self.cpus, self.real_time);
  }
};

// One dimension of a packed constant: `extent` steps of `stride` elements along `axis` of the original.
struct PackedDim {
  std::int32_t axis = 0;
  std::int64_t extent = 0, stride = 0;

  friend bool operator==(const PackedDim&, const PackedDim&) = default;
  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.axis, self.extent, self.stride);
  }
};
// Outer to inner; empty when the parameter is laid out as the task has it.
struct Packing {
  std::vector<PackedDim> dims;

  friend bool operator==(const Packing&, const Packing&) = default;
  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.dims);
  }
};

// A kernel's code and needs. The bytes are inline, or empty when a descriptor of shared memory is
// attached to the message.
struct Code {
  std::vector<std::byte> bytes;
  std::uint64_t size_bytes = 0, entry = 0;
  std::int64_t scratch_bytes = 0, thread_scratch_bytes = 0;
  std::vector<Packing> packing;  // one a parameter, or empty when none is packed

  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.bytes, self.size_bytes, self.entry, self.scratch_bytes, self.thread_scratch_bytes,
       self.packing);
  }
};

// A trusted kernel: its outputs are what every element of the others is compared with. Answered by
// Outcome.
struct Reference {
  static constexpr MessageKind kKind = MessageKind::Reference;
  Code code;
  double limit_s = 60;

  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.code, self.limit_s);
  }
};

// How long and how often to run (codegen.md 5: the minimum of 3 to 5 runs ranks a gap of 3 % at 99 %).
struct Timing {
  double best_s = 0;             // of this task so far; 0: none yet
  double give_up_ratio = 1.3;    // a candidate slower than this times the best is not timed further
  std::int32_t first_runs = 2;   // before that is decided
  std::int32_t min_runs = 3;     // enough when the two best agree or are not near the best
  std::int32_t max_runs = 5;     // enough in any case, once the budget is spent
  double budget_s = 3e-3;        // short kernels are run as long as this
  double min_sample_s = 100e-6;  // short kernels are called several times a sample
  bool cold_constants = false;   // put constants out of the caches before every run
  // A first call that is long, and longer than so many times the best, is all the timing there is.
  double hopeless_ratio = 1e9;

  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.best_s, self.give_up_ratio, self.first_runs, self.min_runs, self.max_runs, self.budget_s,
       self.min_sample_s, self.cold_constants, self.hopeless_ratio);
  }
};

// Answered by Outcome.
struct Run {
  static constexpr MessageKind kKind = MessageKind::Run;
  Code code;
  Timing timing;
  bool check = true;    // against samples and reference, as far as there are any
  double limit_s = 10;  // for all of it

  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.code, self.timing, self.check, self.limit_s);
  }
};

struct Ready {
  static constexpr MessageKind kKind = MessageKind::Ready;
  bool real_time = false;    // whether SCHED_FIFO was permitted
  std::int32_t threads = 0;  // as many as were asked for, or fewer when the system refused
  std::string failure;       // empty unless the buffers could not be made

  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.real_time, self.threads, self.failure);
  }
};

struct Outcome {
  static constexpr MessageKind kKind = MessageKind::Outcome;
  Status status = Status::Ok;
  std::vector<double> seconds;  // of one call, one value a sample
  double noise = 0;             // median over minimum, less one
  bool checked = false;
  bool ends = false;  // these are the worker's last words
  std::string message;

  template <class Self, class Io>
  static void fields(Self& self, Io& io) {
    io(self.status, self.seconds, self.noise, self.checked, self.ends, self.message);
  }
};

}  // namespace hone::worker
