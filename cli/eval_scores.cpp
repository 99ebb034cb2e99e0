#include "cli/eval_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/error.h"
#include "cli/eval_folds.h"
#include "cli/eval_models.h"
#include "cli/option_parts.h"
#include "model/tensor_file.h"

namespace hone::cli {
namespace {

// All programs alike: judged by the mean over all orders, that is a random pick, exactly.
class RandomPick final : public ScoreSource {
 public:
  Scores scores(const EvalSet& set, double /*completion*/) const override {
    return {std::vector<double>(set.data.n_programs())};
  }
};

class ScoreArray final : public ScoreSource {
 public:
  explicit ScoreArray(std::string path) : path_(std::move(path)) {}

  Scores scores(const EvalSet& set, double /*completion*/) const override {
    const std::vector<model::NamedTensor> tensors = model::read_tensors(path_);
    const std::size_t n_programs = set.data.n_programs();
    if (tensors.size() != 1 || static_cast<std::size_t>(tensors[0].tensor.size()) != n_programs)
      refuse(fmt::format("holds no score for each of the {} programs", n_programs));
    const model::Tensor& tensor = tensors[0].tensor;
    if (tensor.type() == ir::Scalar::F32) return {copy(tensor.as<float>())};
    if (tensor.type() == ir::Scalar::F64) return {copy(tensor.as<double>())};
    refuse("holds numbers that are neither float32 nor float64");
  }
  bool takes_partial() const override { return false; }

 private:
  template <class T>
  static std::vector<double> copy(std::span<const T> values) {
    return {values.begin(), values.end()};
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw UserError(fmt::format("{} {}", path_, what),
                    "scores are one array, in the order of the set's programs");
  }

  std::string path_;
};

// "tlp=s0.npy" -> tlp, s0.npy; without a name that of the file.
std::pair<std::string, std::string> named(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != text.npos) return {text.substr(0, equals), text.substr(equals + 1)};
  return {stem_of(text), text};
}

// A model that has learned from a judged task says nothing of tasks that it does not know.
void check_unseen(NamedSource& named, const std::vector<std::string>& trained_on, const EvalSet& set,
                  bool is_test) {
  const std::vector<std::string> judged = set.judged_keys();
  const std::set<std::string> known(trained_on.begin(), trained_on.end());
  const auto seen = std::ranges::find_if(judged, [&](const auto& key) { return known.contains(key); });
  if (seen == judged.end()) return;
  if (is_test)
    throw UserError(fmt::format("{} was trained on a task of the test split: {}", named.file, *seen),
                    "train on what `hone dataset split` writes, without the networks held out");
  named.name += " (seen)";
}

TrainedSource load_trained(const std::string& file) {
  if (!std::filesystem::exists(file))
    throw UserError(fmt::format("there is no scorer `{}`", file),
                    "random, analytic, or a file that `hone train` wrote");
  return trained_source(file);
}

// "f0.scorer,f1.scorer": folds of one cross-validation.
std::unique_ptr<ScoreSource> folds_of(const std::string& name, const std::string& files,
                                      const EvalSet& set) {
  std::vector<TrainedSource> folds;
  std::istringstream list(files);
  for (std::string file; std::getline(list, file, ',');) folds.push_back(load_trained(file));
  return folded_source(name, std::move(folds), set);
}

NamedSource scorer_of(const std::string& text, const EvalSet& set, bool is_test) {
  const auto [name, file] = named(text);
  if (file == "random") return {name, "", std::make_unique<RandomPick>()};
  if (file == "analytic") return {name, "", analytic_source()};
  if (file.find(',') != file.npos) return {name, "", folds_of(name, file, set)};
  TrainedSource trained = load_trained(file);
  NamedSource out{name, file, std::move(trained.source)};
  check_unseen(out, trained.tasks, set, is_test);
  return out;
}

// Models read what a task computes; where that is not known they know nothing.
void check_computations(const EvalSet& set) {
  const std::size_t unknown = static_cast<std::size_t>(std::ranges::count_if(
      set.judged.tasks, [&](const auto& task) { return set.data.dag[task.number].empty(); }));
  if (unknown == set.judged.tasks.size())
    throw UserError(fmt::format("{} does not say what its tasks compute", set.data.file.path()),
                    "import the set with the DAGs of its tasks; arrays of scores need none");
  if (unknown > 0)
    fmt::print(stderr,
               "note: the set does not say what {} of {} judged tasks compute; models score their "
               "programs all alike\n",
               unknown, set.judged.tasks.size());
}

}  // namespace

std::vector<NamedSource> load_sources(const Eval& options, const EvalSet& set) {
  const auto reads_steps = [](const std::string& scorer) { return named(scorer).second != "random"; };
  if (std::ranges::any_of(options.scorers, reads_steps)) check_computations(set);
  std::vector<NamedSource> sources;
  for (const std::string& scorer : options.scorers)
    sources.push_back(scorer_of(scorer, set, options.final_split));
  for (const std::string& text : options.scores) {
    const auto [name, file] = named(text);
    sources.push_back({name, file, std::make_unique<ScoreArray>(file)});
  }
  if (sources.empty()) sources.push_back(scorer_of("random", set, false));
  return sources;
}

}  // namespace hone::cli
