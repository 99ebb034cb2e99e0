// All that changes while a model is trained, and its checkpoint on disk.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "train/adam.h"
#include "train/model.h"

namespace hone::train {

// One value an epoch.
struct Curves {
  std::vector<double> loss, validation_loss, top1, top5;

  std::size_t epochs() const { return loss.size(); }
};

struct Training {
  std::shared_ptr<Model> model;
  std::unique_ptr<Adam> optimizer;
  Curves curves;
  std::size_t kept_epoch = 0;       // counted from 1; 0: none yet
  std::vector<torch::Tensor> kept;  // the weights of that epoch

  void keep_weights();     // the present ones are those of the kept epoch
  void restore_weights();  // makes them the present ones again
};

// Whole or not at all: while it is written the one before stays. UserError when it cannot be written.
// `purpose` says what is trained on what; only the same goes on from here.
void save_checkpoint(const std::string& path, const Training& training, const std::string& purpose);
// UserError when the file is damaged or was made for another purpose.
void load_checkpoint(const std::string& path, Training& training, const std::string& purpose);

}  // namespace hone::train
