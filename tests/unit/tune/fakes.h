// A run without a machine: candidates are numbers, and their times a function of the test's.
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <functional>
#include <limits>

#include "task/catalogue.h"
#include "tests/shared_data.h"
#include "tune/tune.h"

namespace hone::tune {

inline schedule::Steps numbered(int number) { return {schedule::ComputeInline{number}}; }
inline int number_of(const schedule::Steps& steps) {
  return std::get<schedule::ComputeInline>(steps.at(0)).stage;
}

inline measure::Measurement takes(double seconds) {
  measure::Measurement result;
  result.status = measure::Status::Ok;
  result.seconds = {seconds};
  result.checked = true;
  return result;
}
inline measure::Measurement fails(measure::Status status, std::string message) {
  measure::Measurement result;
  result.status = status;
  result.message = std::move(message);
  return result;
}

using Times = std::function<measure::Measurement(int number)>;

class FakeMeter : public Meter {
 public:
  FakeMeter(Times times, bool overlaps) : times_(std::move(times)), overlaps_(overlaps) {}
  void announce(const std::vector<schedule::Steps>& batch) override {
    const std::lock_guard lock(mutex_);
    announced_.push_back(batch);
  }
  void begin() override {
    const std::lock_guard lock(mutex_);
    for (const schedule::Steps& steps : announced_.at(0)) begun_.push_back(steps);
    announced_.pop_front();
  }
  std::optional<measure::Measurement> next(double) override {
    measured.push_back(number_of(begun_.at(0)));
    begun_.pop_front();
    return times_(measured.back());
  }
  void drop_announced() override { announced_.clear(); }
  bool overlaps() const override { return overlaps_; }
  bool is_live() const override { return true; }
  std::vector<Comparison> compare(const std::vector<schedule::Steps>& finalists, double) override {
    std::vector<Comparison> all;
    for (const schedule::Steps& steps : finalists) {
      measure::Measurement warm = times_(number_of(steps));
      const double cold_s = 2 * warm.best_s();
      all.push_back({std::move(warm), cold_s});
    }
    return all;
  }
  measure::Measurement again(const schedule::Steps& steps) override { return times_(number_of(steps)); }

  std::vector<int> measured;  // numbers, in order

 private:
  const Times times_;
  const bool overlaps_;
  std::mutex mutex_;
  std::deque<std::vector<schedule::Steps>> announced_;
  std::deque<schedule::Steps> begun_;
};

// Proposes 1, 2, 3, ... below `end` and notes what it knew when.
class FakeProposer : public Proposer {
 public:
  explicit FakeProposer(int end) : end_(end) {}
  Proposals propose(int, std::size_t count, const IsKnown& is_known) override {
    learned_before.push_back(learned);
    Proposals proposals;
    for (int i = 1; i < end_ && proposals.candidates.size() < count; ++i) {
      Candidate candidate = candidate_of(numbered(i), -i);
      if (!is_known(candidate.key)) proposals.candidates.push_back(std::move(candidate));
    }
    return proposals;
  }
  void learn(std::span<const Trial> trials) override { learned += trials.size(); }

  std::size_t learned = 0;
  std::vector<std::size_t> learned_before;  // each proposal

 private:
  const int end_;
};

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.folder = temporary_file("run");
    std::filesystem::remove_all(options_.folder);
  }
  void TearDown() override { std::filesystem::remove_all(options_.folder); }

  // Number 0 is the baseline; the space has the numbers below `space`.
  Summary tune(const Times& times, int space = 1000, bool overlaps = true) {
    Parts parts;
    parts.task = std::make_shared<const task::Task>(task::from_op(op_));
    parts.target = target::parse("avx2");
    parts.baseline = numbered(0);
    for (const int number : starts_) parts.starts.push_back(numbered(number));
    auto proposer = std::make_unique<FakeProposer>(space);
    auto meter = std::make_unique<FakeMeter>(
        [&, times](int number) {
          measured_.push_back(number);
          return times(number);
        },
        overlaps);
    FakeProposer& watched = *proposer;
    parts.proposer = std::move(proposer);
    parts.meter = std::move(meter);
    measured_.clear();
    const Summary summary = run(
        std::move(parts), options_,
        [&](const Event& event, const Progress& progress) {
          learned_before_ = watched.learned_before;
          if (listener_) listener_(event, progress);
        },
        stop_);
    return summary;
  }
  std::string path(const char* name) const { return options_.folder + "/" + name; }

  std::string op_ = "matmul:m=4,n=4,k=4";
  std::vector<int> starts_;
  Options options_;
  Listener listener_;
  std::atomic<bool> stop_ = false;
  std::vector<int> measured_;  // by the last session, re-measurements at the end included
  std::vector<std::size_t> learned_before_;
};

}  // namespace hone::tune
