// Measures batches on a thread of its own, while later ones are already built.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "measure/measurer.h"
#include "tune/meter.h"

namespace hone::tune {

// A kernel of one thread leaves the other processors to building and search; one of several threads
// has the machine to itself.
class LiveMeter : public Meter {
 public:
  using Compile = std::function<codegen::Kernel(const schedule::Steps&)>;

  // UserError when it cannot be measured.
  LiveMeter(measure::TaskData data, Compile compile, const measure::Options& options);
  ~LiveMeter() override;
  LiveMeter(const LiveMeter&) = delete;
  LiveMeter& operator=(const LiveMeter&) = delete;

  void announce(const std::vector<schedule::Steps>& batch) override;
  void begin() override;
  std::optional<measure::Measurement> next(double wait_s) override;
  void drop_announced() override;
  bool overlaps() const override { return measurer_.shares_machine(); }
  std::vector<int> free_cpus() const override { return measurer_.free_cpus(); }
  bool is_live() const override { return true; }
  std::vector<Comparison> compare(const std::vector<schedule::Steps>& finalists,
                                  double budget_s) override;
  measure::Measurement again(const schedule::Steps& steps) override;

 private:
  using Job = std::function<void()>;
  void work();
  void stop();
  void post(Job job);
  void run(const Job& job);  // waits for its end; throws what it throws
  measure::Build build_of(const schedule::Steps& steps) const;
  Comparison compare_once(const codegen::Kernel& kernel);

  const Compile compile_;
  measure::Measurer measurer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<measure::Measurer::Announced> announced_;
  std::deque<measure::Measurement> results_;
  std::exception_ptr failure_;
  std::deque<Job> jobs_;
  bool stopping_ = false;
  // One thread for all of a run: a worker ends when the thread that started it does.
  std::thread thread_;
};

}  // namespace hone::tune
