// Answers from a log: times that were measured once, measured no more.
#pragma once
#include <deque>
#include <map>

#include "record/run_log.h"
#include "tune/meter.h"

namespace hone::tune {

class ReplayMeter : public Meter {
 public:
  // The trials of one task in a log; the first of a candidate counts. UserError when there are none.
  ReplayMeter(const std::string& path, const std::string& workload_key);

  const std::vector<schedule::Steps>& recorded() const { return recorded_; }
  const record::Record& first() const { return first_; }

  bool knows(const std::string& key) const override { return results_.contains(key); }
  void announce(const std::vector<schedule::Steps>& batch) override;
  void begin() override;
  std::optional<measure::Measurement> next(double wait_s) override;
  void drop_announced() override;
  bool overlaps() const override { return false; }
  bool is_live() const override { return false; }
  std::vector<Comparison> compare(const std::vector<schedule::Steps>& finalists, double) override;
  measure::Measurement again(const schedule::Steps& steps) override;

 private:
  record::Record first_;
  std::vector<schedule::Steps> recorded_;  // in the order of the log
  std::map<std::string, measure::Measurement> results_;
  std::deque<std::vector<schedule::Steps>> announced_;
  std::deque<schedule::Steps> begun_;
};

}  // namespace hone::tune
