// Models of a made-up set, for their tests.
#pragma once
#include <gtest/gtest.h>

#include "train/kinds.h"
#include "train/model.h"
#include "train/tests/fixture.h"

namespace hone::train {

// A made-up set with the columns that were published, and models on it.
class Models : public testing::Test {
 protected:
  DataSet set(const MadeUp& made_up = {.statement_columns = 164}) {
    const std::string path = temporary_file("set.hds");
    write_made_up_set(path, made_up);
    return load_data_set(path, "min");
  }
  std::shared_ptr<Model> model(const std::string& kind, const Features& features,
                               const std::vector<std::string>& settings = {}) {
    torch::manual_seed(1);
    Options options = kind_named(kind).defaults();
    options.set_all(settings);
    return kind_named(kind).make(options, features);
  }
  std::int64_t parameters(const std::string& kind, const std::vector<std::string>& settings = {}) {
    const Features features(set(), kind_named(kind).views(kind_named(kind).defaults()), torch::kCPU);
    std::int64_t count = 0;
    for (const torch::Tensor& parameter : model(kind, features, settings)->parameters())
      count += parameter.numel();
    return count;
  }
};

inline torch::Tensor scores(Model& model, const Batch& batch) {
  const torch::NoGradGuard no_gradient;
  model.eval();
  return model.predict(batch).score;
}

}  // namespace hone::train
