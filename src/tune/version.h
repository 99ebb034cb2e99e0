// One way to run a network, as an artefact that is open in this process: what tells in the end which of
// the nearly equal candidates is the fastest, with the caches as they are in use.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "artefact/random_input.h"
#include "artefact/session.h"
#include "target/target.h"
#include "tune/lane.h"
#include "tune/network_plan.h"
#include "worker/real_time.h"

namespace hone::tune {

// What a choice is to be worked out with.
struct Pick {
  int alternative = 0;
  int trial = -1;  // of its task's lane, measured or only ranked; -1: what hone emits untuned
  friend bool operator==(const Pick&, const Pick&) = default;
};

// What a network is made of.
struct Selection {
  std::vector<int> options;  // one a place of the network
  std::vector<Pick> picks;   // one a choice of the plan, of which those that its options have are used
  friend bool operator==(const Selection&, const Selection&) = default;
};

// What hone emits untuned: everything in its plain form, worked out directly.
Selection untuned_selection(const Plan& plan, std::size_t network);

class Version {
 public:
  // Writes the artefact to `path`, whole or not at all. `lanes` are those of the plan's tasks.
  Version(const Plan& plan, std::size_t network, const std::vector<Lane>& lanes, Selection selection,
          const std::string& path);

  const Selection& selection() const { return selection_; }
  const artefact::Session& session() const { return session_; }
  std::uint64_t size_bytes() const { return size_bytes_; }  // of the file
  double build_s() const { return build_s_; }               // that making it took

  // Runs it so often in a row, after a run that does not count: others had the caches before. With
  // `by_choice` the times of choices are taken, else those of the whole.
  void take_turn(int runs, bool by_choice);
  double best_s() const { return best_s_; }
  void forget_times() { best_s_ = std::numeric_limits<double>::infinity(); }
  // Of one use, the mean of all in this version; infinite for what it does not do.
  const std::vector<double>& choices_s() const { return choices_s_; }
  const std::vector<double>& uses() const { return uses_; }  // of choices, in a run
  double rest_s() const { return rest_s_; }  // of steps that are no choice's: copies and conversions

  const model::Tensor& input(std::size_t number) const { return tensors_.inputs()[number]; }
  // What it answers on inputs that are the same for all versions of a network.
  std::vector<model::Tensor> answer() const { return session_.run(tensors_.inputs()); }

 private:
  void run_once(std::int64_t* step_ns = nullptr) { tensors_.run(session_, step_ns); }

  Selection selection_;
  std::vector<double> uses_;  // of choices
  std::uint64_t size_bytes_ = 0;
  double build_s_ = 0;
  std::vector<int> choice_of_step_;  // -1: no choice's
  artefact::Session session_;
  artefact::RandomTensors tensors_;
  double best_s_ = std::numeric_limits<double>::infinity();
  std::vector<double> steps_s_, choices_s_;
  double rest_s_ = 0;
  worker::Breather breather_;
};

}  // namespace hone::tune
