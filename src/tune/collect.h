// Measures programs of many tasks for a data set, one task after the other.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "record/machines.h"
#include "record/note.h"
#include "tune/collect_options.h"
#include "tune/rounds.h"
#include "tune/run_folder.h"

namespace hone::tune {

struct CollectTask {
  std::shared_ptr<const task::Task> task;
  std::string networks;                   // NAME:WEIGHT;NAME:WEIGHT, as sets have it
  std::vector<schedule::Steps> programs;  // to measure these; empty: samples of its space
};

struct CollectProgress {
  std::size_t n_tasks = 0, tasks_done = 0;
  std::string task;          // that is being measured
  std::size_t programs = 0;  // of earlier sessions, too
  std::size_t resumed = 0;   // those
  std::size_t wanted = 0;    // of all tasks; less when spaces turn out to be small
  std::size_t failed = 0;    // kept with what went wrong
  double session_s = 0;
  record::RunState state = record::RunState::Running;

  double left_s() const;  // at the pace of this session; infinite while that is not known
};
// Called on the thread that runs the collection, several times a second.
using CollectListener = std::function<void(const CollectProgress& progress)>;

class Collection : Rounds::Conductor {
 public:
  // Of tasks with the same key the first counts. UserError when the folder cannot be used, or holds
  // what another compiler or machine measured: times of both would be of no use together.
  Collection(std::vector<CollectTask> tasks, const CollectOptions& options,
             const CollectListener& listener, const std::atomic<bool>& stop);

  // Goes on where an earlier session ended. When `stop` becomes true the batch in flight is finished.
  CollectProgress run();
  // All that was measured, as a data set; the machine is this one. UserError when it cannot be written.
  void write_set(const std::string& path, const record::Machine& machine) const;

 private:
  struct Job {
    CollectTask task;
    std::string key;
    std::vector<Trial> earlier;  // of other sessions
    std::size_t wanted = 0;
  };

  void resume();
  std::unique_ptr<Lane> lane_of(Job& job) const;
  Parts parts_of(const CollectTask& task) const;
  void advance();

  Rounds::Order next(std::size_t in_flight) override;
  bool is_over() const override { return stop_; }
  void waits_for(const char* what) override;
  void measured(Lane& lane, Trial trial) override;
  void ended(Lane& lane, const Batch& batch, std::span<const Trial> trials) override;
  void tell();

  const CollectOptions options_;
  const CollectListener& listener_;
  const std::atomic<bool>& stop_;
  const double started_s_;
  target::Target target_;
  RunFolder folder_;
  std::vector<Job> jobs_;
  std::size_t next_job_ = 0;
  // Its last batch may still be measured while the next task's first one is chosen.
  std::unique_ptr<Lane> previous_, current_;
  std::size_t wanted_ = 0;  // programs of the current one
  CollectProgress progress_;
};

}  // namespace hone::tune
