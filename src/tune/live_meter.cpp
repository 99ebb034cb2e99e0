#include "tune/live_meter.h"

#include <algorithm>
#include <chrono>
#include <future>

#include "base/clock.h"
#include "base/error.h"

namespace hone::tune {
namespace {

// What is timed in turn with others is timed shortly and often.
worker::Timing turn(bool cold) {
  worker::Timing timing;
  timing.give_up_ratio = 1e9;
  timing.cold_constants = cold;
  return timing;
}

void merge(Comparison& all, Comparison one) {
  if (one.warm.status != measure::Status::Ok) all.warm.status = one.warm.status;
  if (all.warm.message.empty()) all.warm.message = std::move(one.warm.message);
  all.warm.checked &= one.warm.checked;
  all.warm.seconds.push_back(one.warm.seconds.front());
  all.cold_s = std::min(all.cold_s, one.cold_s);
}

// Median over minimum of the turns, less one.
double noise_of(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2] / seconds.front() - 1;
}

}  // namespace

LiveMeter::LiveMeter(measure::TaskData data, Compile compile, const measure::Options& options)
    : compile_(std::move(compile)), measurer_(options), thread_([this] { work(); }) {
  try {
    run([&] { measurer_.begin(data); });
  } catch (...) {
    stop();
    throw;
  }
}

LiveMeter::~LiveMeter() { stop(); }

void LiveMeter::stop() {
  drop_announced();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LiveMeter::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

void LiveMeter::post(Job job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  changed_.notify_all();
}

void LiveMeter::run(const Job& job) {
  std::packaged_task<void()> task(job);
  post([&] { task(); });
  task.get_future().get();
}

measure::Build LiveMeter::build_of(const schedule::Steps& steps) const {
  return [this, steps] { return compile_(steps); };
}

void LiveMeter::announce(const std::vector<schedule::Steps>& batch) {
  std::vector<measure::Build> builds;
  for (const schedule::Steps& steps : batch) builds.push_back(build_of(steps));
  auto announced = measurer_.announce(std::move(builds));
  const std::lock_guard lock(mutex_);
  announced_.push_back(std::move(announced));
}

void LiveMeter::drop_announced() {
  std::deque<measure::Measurer::Announced> dropped;  // goes without the lock: it waits for builds
  const std::lock_guard lock(mutex_);
  dropped.swap(announced_);
}

void LiveMeter::begin() {
  const auto deliver = [this](const measure::Event& event) {
    if (const auto* measured = std::get_if<measure::CandidateMeasured>(&event)) {
      const std::lock_guard lock(mutex_);
      results_.push_back(measured->measurement);
      changed_.notify_all();
    }
  };
  std::unique_lock lock(mutex_);
  check(!announced_.empty(), "a batch is announced before it is begun");
  std::shared_ptr batch = std::make_shared<measure::Measurer::Announced>(std::move(announced_.front()));
  announced_.pop_front();
  lock.unlock();
  post([this, batch, deliver] {
    try {
      measurer_.measure(*batch, deliver);
    } catch (...) {
      const std::lock_guard failed(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  });
}

std::optional<measure::Measurement> LiveMeter::next(double wait_s) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(wait_s),
                    [&] { return !results_.empty() || failure_ != nullptr; });
  if (!results_.empty()) {
    measure::Measurement result = std::move(results_.front());
    results_.pop_front();
    return result;
  }
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  return std::nullopt;
}

Comparison LiveMeter::compare_once(const codegen::Kernel& kernel) {
  Comparison one;
  one.warm = measurer_.time(kernel, turn(false));
  one.warm.seconds = {one.warm.best_s()};
  one.cold_s = measurer_.time(kernel, turn(true)).best_s();
  return one;
}

std::vector<Comparison> LiveMeter::compare(const std::vector<schedule::Steps>& finalists,
                                           double budget_s) {
  constexpr int kMinTurns = 3, kMaxTurns = 9;
  std::vector<Comparison> all(finalists.size());
  run([&] {
    std::vector<codegen::Kernel> kernels;
    for (const schedule::Steps& steps : finalists) kernels.push_back(compile_(steps));
    const double start = now_s();
    for (int turns = 0; turns < kMinTurns || (turns < kMaxTurns && now_s() - start < budget_s);
         ++turns) {
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        Comparison one = compare_once(kernels[i]);
        turns == 0 ? void(all[i] = std::move(one)) : merge(all[i], std::move(one));
      }
    }
  });
  for (Comparison& one : all) {
    if (one.warm.status != measure::Status::Ok) one.warm.seconds.clear();
    if (!one.warm.seconds.empty()) one.warm.noise = noise_of(one.warm.seconds);
  }
  return all;
}

measure::Measurement LiveMeter::again(const schedule::Steps& steps) {
  measure::Measurement result;
  run([&] {
    worker::Timing timing = measurer_.timing();
    timing.best_s = 0;
    result = measurer_.time(compile_(steps), timing);
  });
  return result;
}

}  // namespace hone::tune
