// Builds candidates on all cores, in order, while others are already being run.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "codegen/kernel.h"
#include "measure/measurement.h"

namespace hone::measure {

// Makes one candidate's kernel. A UserError means that its schedule cannot be applied, any other
// exception that it cannot be compiled.
using Build = std::function<codegen::Kernel()>;

struct Built {
  Status status = Status::Ok;
  codegen::Kernel kernel;  // when the status is Ok
  std::string message;     // when it is not
  double seconds = 0;
};

// Threads that stay, because a compiler's state belongs to its thread and is costly to make.
class Builder {
 public:
  // `threads` besides the one that asks for results, which builds too instead of waiting. They keep to
  // `cpus`, unless that is empty. Candidates that take longer than `limit_s` count as failed.
  Builder(int threads, std::vector<int> cpus, double limit_s);
  ~Builder();
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  class Batch;

 private:
  void work();
  // Builds the next unbuilt candidate of the first batch that has one; false when there is none. The
  // lock is released meanwhile.
  bool build_one(std::unique_lock<std::mutex>& lock);

  const double limit_s_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Batch*> batches_;  // oldest first
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

// Candidates that a builder works on; those of an older batch first. What is not yet begun is given up
// when it goes.
class Builder::Batch {
 public:
  Batch(Builder& builder, std::vector<Build> candidates);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  std::size_t size() const { return candidates_.size(); }

  // Candidates below `end` may be built from now on.
  void allow(std::size_t end);
  // The same, and returns when they are.
  void finish(std::size_t end);
  // The result of candidate `index`, to be taken once.
  Built take(std::size_t index);

 private:
  friend class Builder;
  struct Slot {
    bool done = false;
    Built built;
  };

  Builder& builder_;
  std::vector<Build> candidates_;
  std::vector<Slot> slots_;
  std::size_t next_ = 0, end_ = 0;  // candidates from next_ up to end_ may be begun
  int in_work_ = 0;
};

}  // namespace hone::measure
