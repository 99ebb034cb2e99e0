// One run for one task from its folder to its summary: decides what is measured and keeps the log.
#pragma once
#include "tune/rounds.h"
#include "tune/run_folder.h"
#include "tune/tune.h"

namespace hone::tune {

class Session : Rounds::Conductor {
 public:
  Session(Parts parts, const Options& options, const Listener& listener, const std::atomic<bool>& stop);
  Summary run();

 private:
  void resume();
  void begin_log();
  Rounds::Order next(std::size_t in_flight) override;
  bool is_over() const override;
  void waits_for(const char* what) override;
  void measured(Lane& lane, Trial trial) override;
  void ended(Lane& lane, const Batch& batch, std::span<const Trial> trials) override;
  void count(const Trial& trial);
  void tell_trouble();
  void choose_by_rank();
  void measure_for_report(const Candidate& candidate);
  void find_winner();
  void write_summary(record::RunState state);

  bool has_enough() const;
  double clock_s() const;
  void tell(const Event& event);

  const Options options_;
  const Listener& listener_;
  const std::atomic<bool>& stop_;
  const double started_s_;
  const bool is_live_;
  double earlier_s_ = 0;  // of tuning, in earlier sessions
  RunFolder folder_;
  Lane lane_;
  bool told_trouble_ = false;
  Summary summary_;
};

}  // namespace hone::tune
