// One run from its folder to its summary: the conductor of proposer, meter and log.
#pragma once
#include <future>
#include <set>
#include <vector>

#include "tune/run_folder.h"
#include "tune/tune.h"

namespace hone::tune {

class Session {
 public:
  Session(Parts parts, const Options& options, const Listener& listener, const std::atomic<bool>& stop);
  Summary run();

 private:
  struct Batch {
    int round = 0;
    std::vector<Candidate> candidates;
    double search_s = 0, score_s = 0;
  };

  void resume();
  void begin_log();
  void search();
  Batch choose(int round, std::size_t count, const std::vector<Trial>& lesson);
  std::vector<Candidate> given(std::size_t count);
  std::size_t next_count(int round, std::size_t in_flight) const;
  std::vector<Trial> collect(const Batch& batch);
  Batch await(std::future<Batch> choosing);
  void add(const Trial& trial);
  void end_round(const Batch& batch, const std::vector<Trial>& trials);
  void tell_trouble();
  void find_winner();
  void write_summary(record::RunState state);

  bool has_enough() const;
  bool is_over() const;
  double clock_s() const;
  void tell(const Event& event);
  record::Record record_of(const Trial& trial) const;
  static record::TrialNote note_of(const Trial& trial);

  Parts parts_;
  const Options options_;
  const Listener& listener_;
  const std::atomic<bool>& stop_;
  const double started_s_;
  double earlier_s_ = 0;  // of tuning, in earlier sessions
  RunFolder folder_;
  const std::string workload_key_;
  std::vector<Trial> trials_;
  std::set<std::string> known_;  // keys of all candidates measured or announced
  int baseline_ = -1;            // its trial
  int next_round_ = 0;
  bool told_trouble_ = false;
  Summary summary_;
};

}  // namespace hone::tune
