// The command line of hone-train.
#pragma once
#include <string>
#include <vector>

#include "train/material.h"

namespace hone::train {

struct Arguments {
  std::vector<std::string> sets;
  std::string output;
  std::string kind;    // empty: hone's own
  std::string scorer;  // of --predict
  std::string from;    // a scorer to start from
  std::string scored;  // a set whose programs are scored when training is done
  std::vector<std::string> settings;
  Fold left_out;
  Target target;
  std::string device = "auto";
  int threads = 0;
  int progress_descriptor = 1;
  bool predict = false, time = false, in_parts = false, resume = false, fresh = false,
       list_options = false;
  bool list_views = false, help = false;
};

// UserError, with a hint, for what cannot be meant.
Arguments parse_arguments(const std::vector<std::string>& words);

extern const char* const kHelp;

Fold parse_fold(const std::string& text);  // "0/5"; UserError when it is none

}  // namespace hone::train
