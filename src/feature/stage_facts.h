// What the stages of a finished program are there for, and where their loops stand.
#pragma once
#include <vector>

#include "feature/step_notes.h"

namespace hone::feature {

struct StageFacts {
  bool is_output = false;
  bool is_read_copy = false, is_write_copy = false, is_partial = false;  // made by CHR, CHW, RF
  bool reduces = false;
  bool is_main = false;     // works for the op with most work
  bool is_behind = false;   // works for an op behind it
  bool is_inlined = false;  // then nothing below is known
  double elements = 0;      // that are computed each time
  double times = 1;         // that it is computed: the loops around it
  double bytes = 0;         // of the elements

  // By loop number, through splits and fusions: iterations around the loop and inside of it, those of
  // the stages around it counted. 0 for loops that are gone.
  std::vector<double> outside, inside;
};

std::vector<StageFacts> stage_facts(const NotedState& noted);

}  // namespace hone::feature
