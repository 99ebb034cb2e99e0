// What a network said of trials and how far off it was: what its corrections are fitted to.
#pragma once
#include <span>
#include <vector>

#include "score/model.h"

namespace hone::score {

using Row = std::vector<double>;

struct Trials {
  std::vector<Row> rows;  // what the network's last layer read, less their mean
  Row weights;            // fast programs count more
  Row errors;             // by how much the log of the score is too small, less their mean

  Row centre;         // the mean of the rows
  double offset = 0;  // of the errors
  double spread =
      0;  // mean square of a row; trials that hardly differ count as more apart than they are
};

// Of the trials that worked; the means are weighted. The network must tell what its last layer reads.
Trials trials_of(std::span<const Prediction> known, std::span<const double> labels);

double product(std::span<const double> a, std::span<const double> b);

// A prediction whose log of the score was too small by `error`, of which only so much is believed that
// no score becomes absurd.
void correct(Prediction& prediction, double offset, double error);

}  // namespace hone::score
