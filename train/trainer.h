// Trains a model on data sets and writes the scorer.
#pragma once
#include <atomic>
#include <string>

#include "train/event.h"
#include "train/material.h"
#include "train/options.h"

namespace hone::train {

struct Job {
  std::vector<std::string> sets;
  std::string kind, output;
  Options options;     // of the kind
  Fold left_out = {};  // for cross-validation
  Target target = {};
  std::string from = {};       // a scorer whose weights it starts with; empty: none
  std::string device = "cpu";  // cpu or cuda
  bool resume = false;         // goes on from the checkpoint of an earlier run
  bool fresh = false;          // forgets it
};

enum class Outcome { Done, Stopped };

// Tells the listener of each epoch. When `stop` becomes true it ends soon, and another call with
// `resume` goes on as if nothing had happened. UserError when the set, the options or the disk do not
// allow it, or when the loss is no number any more; the last checkpoint stays.
Outcome train(const Job& job, const Listener& listener, const std::atomic<bool>& stop);

// The device that a word stands for: auto, cpu or cuda. UserError when there is none.
std::string choose_device(const std::string& word);
void use_threads(int threads);  // 0: one a core

}  // namespace hone::train
