// Artefacts that are timed, in turns.
#pragma once
#include <string>
#include <vector>

#include "artefact/random_input.h"
#include "artefact/session.h"
#include "cli/bench_result.h"
#include "cli/options.h"

namespace hone::cli {

// An artefact with memory for its inputs and outputs, and what was measured of it.
class Subject {
 public:
  Subject(const std::string& file, int threads);

  const std::string& file() const { return file_; }
  const Samples& samples() const { return samples_; }

  void run() { tensors_.run(session_); }
  void time();
  Profile profile(int runs);

 private:
  std::string file_;
  artefact::Session session_;
  artefact::RandomTensors tensors_;
  Samples samples_;
};

// In turns, so that what the machine does meanwhile meets all of them.
void time_in_turns(std::vector<Subject>& subjects, const BenchTiming& timing);

}  // namespace hone::cli
