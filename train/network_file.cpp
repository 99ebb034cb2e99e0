#include "train/network_file.h"

#include <fstream>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "score/forest.h"
#include "score/scorer_file.h"
#include "score/tensors.h"

namespace hone::train {
namespace {

using torch::Tensor;

// Parameters and what the model learned of its inputs, by name.
torch::OrderedDict<std::string, Tensor> named_tensors(const Model& model) {
  torch::OrderedDict<std::string, Tensor> all = model.named_parameters();
  for (const auto& buffer : model.named_buffers()) all.insert(buffer.key(), buffer.value());
  return all;
}

std::vector<score::NamedTensor> weights_of(const Model& model) {
  std::vector<score::NamedTensor> out;
  for (const auto& item : named_tensors(model)) {
    const Tensor values = item.value().detach().to(torch::kCPU, torch::kFloat).contiguous();
    const float* begin = values.data_ptr<float>();
    out.push_back({item.key(), values.sizes().vec(), {begin, begin + values.numel()}});
  }
  return out;
}

std::int64_t n_parameters(const Model& model) {
  std::int64_t count = 0;
  for (const Tensor& parameter : model.parameters()) count += parameter.numel();
  return count;
}

// Of all tasks: what was learned of GPUs is of no use elsewhere.
double gpu_share(const DataSet& set) {
  double count = 0;
  for (const Part& part : set.parts) {
    const record::hds::Strings targets = part.file.strings("task.target");
    for (std::size_t i = 0; i < targets.size(); ++i) {
      for (const std::string_view gpu : {"cuda", "opencl", "rocm", "vulkan", "metal"})
        count += targets[i].substr(0, gpu.size()) == gpu ? 1 : 0;
    }
  }
  return count / static_cast<double>(set.tasks.size());
}

void copy_weights(Model& model, const std::vector<score::NamedTensor>& tensors) {
  const torch::NoGradGuard no_gradient;
  for (auto& item : named_tensors(model)) {
    const score::NamedTensor& found =
        score::find_tensor(tensors, item.key(), item.value().sizes().vec());
    item.value().copy_(torch::from_blob(const_cast<float*>(found.values.data()), found.shape));
  }
}

}  // namespace

void save_network(const Job& job, const Material& material, const Features& features,
                  const Training& training) {
  const DataSet& set = material.set;
  score::ModelHeader header{.kind = job.kind,
                            .features = features.versions(),
                            .data_hash = score::hexadecimal(set.content_hash()),
                            // Validation tasks were not learned from, but the epoch was chosen by them.
                            .tasks = material.keys};
  if (set.has_target()) header.target = set.platforms.front().name;
  for (const Platform& platform : set.platforms)
    header.platforms.emplace_back(platform.name, static_cast<double>(platform.labels));
  Options options = job.options;
  training.model->settle(options);
  for (const Option& option : options.all()) header.options.emplace_back(option.name, option.value);
  const Curves& curves = training.curves;
  header.curves = {{"loss", curves.loss},
                   {"validation_loss", curves.validation_loss},
                   {"top1", curves.top1},
                   {"top5", curves.top5}};
  header.metrics = {{"parameters", n_parameters(*training.model)},
                    {"programs", set.n_programs()},
                    {"gpu_share", gpu_share(set)},
                    {"kept_epoch", training.kept_epoch}};
  if (training.kept_epoch > 0) {
    header.metrics.emplace_back("validation_top1", curves.top1[training.kept_epoch - 1]);
    header.metrics.emplace_back("validation_top5", curves.top5[training.kept_epoch - 1]);
  }
  write_whole(job.output, score::print_scorer({header, print_tensors(weights_of(*training.model))}));
}

score::ScorerFile read_scorer(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) throw UserError("cannot read " + path, "give a scorer, as `hone train` writes them");
  return score::parse_scorer(bytes.str(), path);
}

void load_weights(Model& model, const std::string& weights) {
  const std::vector<score::NamedTensor> tensors = score::parse_tensors(weights);
  copy_weights(model, tensors);
  if (score::has_forest(tensors)) model.take_forest(score::parse_forest(tensors));
}

void start_from(Model& model, const std::string& path, const std::string& kind,
                const Features& features) {
  const score::ScorerFile file = read_scorer(path);
  if (file.header.kind != kind)
    throw UserError(path + " is of kind " + file.header.kind + ", and " + kind + " is to be trained",
                    "start from a scorer of the same kind");
  score::require_features(file.header, features.versions(), path);
  copy_weights(model, score::parse_tensors(file.weights));
}

}  // namespace hone::train
