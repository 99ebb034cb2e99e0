// The tuning of networks from their plan to artefacts: which task gets the next round, and what the
// networks are made of in the end.
#pragma once
#include <atomic>

#include "record/best.h"
#include "record/store.h"
#include "tune/network_plan.h"
#include "tune/network_progress.h"
#include "tune/rehearsal.h"
#include "tune/rounds.h"
#include "tune/run_folder.h"
#include "tune/version.h"

namespace hone::tune {

class NetworkSession : Rounds::Conductor {
 public:
  NetworkSession(Plan plan, const NetworkOptions& options, const NetworkListener& listener,
                 const std::atomic<bool>& stop);
  // Resumes the run of the options' folder, where there is one. When `stop` becomes true the batch in
  // flight is finished and the artefacts are made of what was found.
  NetworkSummary run();

 private:
  void open_store();
  void leave_store(const UserError& error);
  void make_lanes();
  Parts parts_of(std::size_t task, bool cold);
  void keep_winner(const Lane& lane);
  void resume();
  void begin_log();
  void recall();
  void measure_untuned();
  void make_schedule();
  void choose_by_rank();
  void finish_networks();
  Version tuned_version(std::size_t network);
  TunedNetwork finish(std::size_t network);
  void write_summary(record::RunState state);

  Rounds::Order next(std::size_t in_flight) override;
  bool is_over() const override;
  void waits_for(const char* what) override;
  void measured(Lane& lane, Trial trial) override;
  void ended(Lane& lane, const Batch& batch, std::span<const Trial> trials) override;

  bool has_enough() const;
  void count(const Trial& trial);
  void refresh();
  std::size_t number_of(const Lane& lane) const;
  double clock_s() const;
  void tell(const NetworkEvent& event);

  const Plan plan_;
  const NetworkOptions options_;
  const NetworkListener& listener_;
  const std::atomic<bool>& stop_;
  const double started_s_;
  double earlier_s_ = 0;  // of tuning, in earlier sessions
  double round_started_s_ = 0;
  RunFolder folder_;
  const std::shared_ptr<const score::Network> scorer_;  // null: none is asked for
  std::unique_ptr<record::Store> store_;
  record::BestRecords given_;  // of the options' records
  std::vector<Lane> lanes_;    // one a task of the plan
  std::vector<int> choice_of_task_;
  std::vector<double> conversions_s_;  // of the plan's, by the estimate
  std::vector<Version> untuned_;       // one a network
  std::unique_ptr<Scheduler> scheduler_;
  NetworkSummary summary_;
};

}  // namespace hone::tune
