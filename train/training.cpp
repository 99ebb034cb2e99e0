#include "train/training.h"

#include <sstream>

#include "base/error.h"
#include "base/file.h"

namespace hone::train {
namespace {

using torch::Tensor;

// All that makes a model what it is: parameters, and what layers know of the rows they have seen.
std::vector<Tensor> tensors_of(const Model& model) {
  std::vector<Tensor> all = model.parameters();
  for (const Tensor& buffer : model.buffers()) all.push_back(buffer);
  return all;
}

Tensor to_tensor(const std::vector<double>& values) { return torch::tensor(values, torch::kDouble); }

std::vector<double> to_vector(const Tensor& tensor) {
  return {tensor.data_ptr<double>(), tensor.data_ptr<double>() + tensor.numel()};
}

// Every curve under its name, for writing and reading alike.
template <class CurvesRef, class Use>
void for_each_curve(CurvesRef& curves, const Use& use) {
  use("loss", curves.loss);
  use("validation_loss", curves.validation_loss);
  use("top1", curves.top1);
  use("top5", curves.top5);
}

void read_all(torch::serialize::InputArchive& archive, Training& training, const std::string& path,
              const std::string& purpose) {
  c10::IValue value;
  archive.read("purpose", value);
  if (value.toStringRef() != purpose)
    throw UserError(path + " was made by another training",
                    "give the options it was made with, or begin anew with --fresh");
  torch::serialize::InputArchive model, optimizer;
  archive.read("model", model);
  training.model->load(model);
  archive.read("optimizer", optimizer);
  training.optimizer->load(optimizer);
  for_each_curve(training.curves, [&](const char* name, std::vector<double>& curve) {
    Tensor values;
    archive.read(name, values);
    curve = to_vector(values);
  });
  archive.read("kept_epoch", value);
  training.kept_epoch = static_cast<std::size_t>(value.toInt());
  training.kept.clear();
  const std::size_t n_kept = training.kept_epoch == 0 ? 0 : tensors_of(*training.model).size();
  for (std::size_t i = 0; i < n_kept; ++i) {
    training.kept.emplace_back();
    archive.read("kept" + std::to_string(i), training.kept.back());
  }
}

}  // namespace

void Training::keep_weights() {
  kept_epoch = curves.epochs();
  kept.clear();
  for (const Tensor& tensor : tensors_of(*model))
    kept.push_back(tensor.detach().to(torch::kCPU, /*non_blocking=*/false, /*copy=*/true));
}

void Training::restore_weights() {
  if (kept_epoch == 0) return;
  const torch::NoGradGuard no_gradient;
  const std::vector<Tensor> tensors = tensors_of(*model);
  for (std::size_t i = 0; i < kept.size(); ++i) tensors[i].copy_(kept[i]);
}

void save_checkpoint(const std::string& path, const Training& training, const std::string& purpose) {
  torch::serialize::OutputArchive archive, model, optimizer;
  archive.write("purpose", c10::IValue(purpose));
  training.model->save(model);
  archive.write("model", model);
  training.optimizer->save(optimizer);
  archive.write("optimizer", optimizer);
  for_each_curve(training.curves, [&](const char* name, const std::vector<double>& curve) {
    archive.write(name, to_tensor(curve));
  });
  archive.write("kept_epoch", c10::IValue(static_cast<std::int64_t>(training.kept_epoch)));
  for (std::size_t i = 0; i < training.kept.size(); ++i)
    archive.write("kept" + std::to_string(i), training.kept[i]);
  // Into memory: what libtorch writes to files ends the program when the disk is full.
  std::ostringstream bytes;
  archive.save_to(bytes);
  write_whole(path, bytes.str());
}

void load_checkpoint(const std::string& path, Training& training, const std::string& purpose) {
  try {
    torch::serialize::InputArchive archive;
    archive.load_from(path, training.model->parameters().front().device());
    read_all(archive, training, path, purpose);
  } catch (const c10::Error&) {
    throw UserError(path + " is no intact checkpoint", "begin anew with --fresh");
  }
}

}  // namespace hone::train
