// How the measuring of many programs is shown while it goes on.
#pragma once
#include "cli/live_lines.h"
#include "cli/tune_display.h"
#include "tune/collect.h"

namespace hone::cli {

class CollectDisplay {
 public:
  explicit CollectDisplay(Show show) : show_(show) {}
  void operator()(const tune::CollectProgress& progress);

 private:
  Show show_;
  LiveLines live_;
  double said_s_ = 0;
};

}  // namespace hone::cli
