// The table that trees read: the rows of one view, each with what is known of the task behind it.
#pragma once
#include "score/sample.h"

namespace hone::score {

// Makes rows of the first view, each followed by the one row of every other view; the views are gone.
void join_rows(Sample& sample);

}  // namespace hone::score
