#include "train/fit.h"

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "train/kinds.h"
#include "train/same_programs.h"

namespace hone::train {

using torch::Tensor;

namespace {

// On a GPU products of 10 bits of precision with sums of 23 are what learning from measured times
// needs, at a multiple of the speed; predictions are made with all bits.
class ShortProducts {
 public:
  explicit ShortProducts(bool are_enough) { allow_short_products(are_enough); }
  ~ShortProducts() { allow_short_products(false); }
  ShortProducts(const ShortProducts&) = delete;
  ShortProducts& operator=(const ShortProducts&) = delete;
};

}  // namespace

void allow_short_products(bool are_allowed) {
  at::globalContext().setAllowTF32CuBLAS(are_allowed);
  at::globalContext().setAllowTF32CuDNN(are_allowed);  // what LSTMs are made of; libtorch allows it
}

Fit::Fit(const std::string& kind, const Options& options, const Material& material,
         const Features& features)
    : options_(options),
      material_(material),
      features_(features),
      has_cosine_(options.word("schedule", {"constant", "cosine"}) == "cosine") {
  if (options.whole("batch") == 0 || options.whole("batch") < options.whole("list"))
    throw UserError("a batch of " + options.text("batch") + " programs holds no list",
                    "set batch to at least as many programs as list");
  torch::manual_seed(static_cast<std::uint64_t>(options.whole("seed")));
  training.model = kind_named(kind).make(options, features);
  training.model->to(features.device());
  training.model->learn_inputs(features, programs_of(material.set, material.split.training));
  if (training.model->joins_programs()) same_ = first_of_same(material.set);
  training.optimizer =
      std::make_unique<Adam>(training.model->parameters(), options.number("weight_decay"));
}

std::vector<ListBatch> Fit::batches(const TaskIds& tasks, std::size_t number) const {
  const auto count = [&](const char* name) { return static_cast<std::size_t>(options_.whole(name)); };
  const Visits visits{count("batch"), count("list"), count("per_task")};
  return batches_of_epoch(material_.set, tasks, visits, count("seed"), number, same_);
}

Tensor Fit::loss(const ListBatch& lists) {
  const Lesson lesson = lesson_of(material_.set, lists, same_, features_.device());
  return training.model->loss(features_.batch(lesson.programs), lesson.labels);
}

std::optional<double> Fit::epoch(std::size_t n_epochs, const std::atomic<bool>& stop) {
  training.model->train();
  const std::size_t done = training.curves.epochs();
  const std::vector<ListBatch> all = batches(material_.split.training, done + 1);
  Tensor sum = torch::zeros({}, torch::TensorOptions(features_.device()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (stop) return {};
    const double progress = static_cast<double>(done) + static_cast<double>(i) / all.size();
    sum = sum + step(all[i], progress / static_cast<double>(n_epochs));
  }
  const double value = sum.item<double>();
  if (!std::isfinite(value))
    throw UserError("the loss is no number any more in epoch " + std::to_string(done + 1),
                    "set a smaller learning_rate or clip; --resume goes on from the epoch before");
  return value / static_cast<double>(all.size());
}

Tensor Fit::step(const ListBatch& lists, double progress) {
  const ShortProducts products(!training.model->needs_all_bits());
  training.optimizer->zero_grad();
  const Tensor lost = loss(lists);
  lost.backward();
  const double rate = options_.number("learning_rate");
  training.optimizer->step(has_cosine_ ? rate * (1 + std::cos(std::numbers::pi * progress)) / 2 : rate,
                           options_.number("clip"));
  return lost.detach();
}

double Fit::validation_loss() {
  const torch::NoGradGuard no_gradient;
  training.model->eval();
  Tensor sum = torch::zeros({}, torch::TensorOptions(features_.device()));
  const std::vector<ListBatch> all = batches(material_.split.validation, 0);
  for (const ListBatch& lists : all) sum = sum + loss(lists);
  return all.empty() ? 0 : sum.item<double>() / static_cast<double>(all.size());
}

std::vector<Program> programs_of(const DataSet& set, const TaskIds& tasks) {
  std::vector<Program> programs;
  for (const std::uint32_t task : tasks)
    programs.insert(programs.end(), set.tasks[task].programs.begin(), set.tasks[task].programs.end());
  return programs;
}

}  // namespace hone::train
