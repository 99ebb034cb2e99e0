#include "train/arguments.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/nearest.h"

namespace hone::train {

const char* const kHelp =
    R"(hone-train: trains the networks among hone's cost models. `hone train` starts it and shows its progress;
by itself it needs a compiler and libtorch alone, so that it also runs where hone does not.

  hone-train SET.hds ... --kind KIND -o FILE      trains, with a line of JSON an epoch on stdout
  hone-train --predict SET.hds --scorer FILE -o SCORES.npy
                                                  of folds A,B,C: each task by the one that has not seen it
  hone-train --time SET.hds --scorer FILE -o SCORES.npy
                                                  the same for every line that comes through the
                                                  descriptor of --progress-fd, answered by how long
                                                  it took: seconds, and seconds of all cores
  hone-train --kind KIND --options                what can be set, with the defaults
  hone-train --kind KIND --views                  the features that a set must have for it
  hone-train --options                            the kinds

  -o FILE             the scorer; a checkpoint lies beside it while training goes on
  --parts             predicts score, spread and the probability of being valid instead of the score
  --set NAME=VALUE    an option of the kind; as often as needed
  --from FILE         starts from the weights of this scorer, which is of the same kind and size
  --scored SET.hds    when training is done, the scores of its programs go to FILE.npy
  --fold K/N          leaves fold K of N out, K from 0
  --fold-by WORD      what stays together in folds and in validation: structure, or task
  --target NAME       the machine that is learned for; the other sets are to help
  --target-labels N   so many of its programs were measured, validation included; the others have no times
  --target-programs FILE
                      the same, of the programs that the file names by their place in the target's set
  --resume, --fresh   go on from the checkpoint of an earlier run, or forget it
  --device WORD       auto, cpu or cuda
  --threads N         of the CPU; 0: one a core
  --progress-fd N     where the lines of progress go instead of stdout

  hone-train thaisacs.hds --kind tlp --set seed=1 --set loss=mse -o tlp.scorer
  hone-train k80.hds v100.hds --kind mtl-tlp --target v100 --target-labels 1024 -o v100.scorer
)";

namespace {

int parse_int(const std::string& text, const std::string& flag) {
  int value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || value < 0)
    throw UserError(flag + " is '" + text + "', which is no whole number of 0 or more", "");
  return value;
}

struct Flag {
  std::string name;
  bool takes_value;
  void (*use)(Arguments& arguments, const std::string& value);
};

const std::vector<Flag>& flags() {
  static const std::vector<Flag> kFlags = {
      {"--kind", true, [](Arguments& a, const std::string& value) { a.kind = value; }},
      {"-o", true, [](Arguments& a, const std::string& value) { a.output = value; }},
      {"--scorer", true, [](Arguments& a, const std::string& value) { a.scorer = value; }},
      {"--from", true, [](Arguments& a, const std::string& value) { a.from = value; }},
      {"--scored", true, [](Arguments& a, const std::string& value) { a.scored = value; }},
      {"--set", true, [](Arguments& a, const std::string& value) { a.settings.push_back(value); }},
      {"--fold", true,
       [](Arguments& a, const std::string& value) {
         const Fold fold = parse_fold(value);
         a.left_out.number = fold.number;
         a.left_out.of = fold.of;
       }},
      {"--fold-by", true,
       [](Arguments& a, const std::string& value) { a.left_out.by = parse_fold_by(value); }},
      {"--target", true, [](Arguments& a, const std::string& value) { a.target.platform = value; }},
      {"--target-labels", true,
       [](Arguments& a, const std::string& value) {
         a.target.labels = static_cast<std::size_t>(parse_int(value, "--target-labels"));
       }},
      {"--target-programs", true,
       [](Arguments& a, const std::string& value) { a.target.programs = value; }},
      {"--device", true, [](Arguments& a, const std::string& value) { a.device = value; }},
      {"--threads", true,
       [](Arguments& a, const std::string& value) { a.threads = parse_int(value, "--threads"); }},
      {"--progress-fd", true,
       [](Arguments& a, const std::string& value) {
         a.progress_descriptor = parse_int(value, "--progress-fd");
       }},
      {"--predict", false, [](Arguments& a, const std::string&) { a.predict = true; }},
      {"--time", false, [](Arguments& a, const std::string&) { a.time = true; }},
      {"--parts", false, [](Arguments& a, const std::string&) { a.in_parts = true; }},
      {"--resume", false, [](Arguments& a, const std::string&) { a.resume = true; }},
      {"--fresh", false, [](Arguments& a, const std::string&) { a.fresh = true; }},
      {"--options", false, [](Arguments& a, const std::string&) { a.list_options = true; }},
      {"--views", false, [](Arguments& a, const std::string&) { a.list_views = true; }},
      {"--help", false, [](Arguments& a, const std::string&) { a.help = true; }},
  };
  return kFlags;
}

void check_target(const Target& target) {
  if (target.labels && !target.programs.empty())
    throw UserError("--target-labels and --target-programs both say what was measured",
                    "give one of them");
  if (target.platform.empty() && (target.labels || !target.programs.empty()))
    throw UserError("labels are withheld of a target only", "name its machine with --target NAME");
}

void check_arguments(const Arguments& arguments) {
  if (arguments.help || arguments.list_options || arguments.list_views) return;
  if (arguments.sets.empty())
    throw UserError("no data set is given", "`hone-train --help` shows how it is called");
  if ((arguments.predict || arguments.time) && arguments.sets.size() > 1)
    throw UserError("programs of several sets are not scored at once", "give one set");
  check_target(arguments.target);
  if (arguments.output.empty()) throw UserError("no output is given", "name the file with -o FILE");
  if ((arguments.predict || arguments.time) && arguments.scorer.empty())
    throw UserError("--predict and --time need a scorer", "name it with --scorer FILE");
  if (arguments.resume && arguments.fresh)
    throw UserError("--resume and --fresh contradict each other", "give one of them");
}

}  // namespace

Fold parse_fold(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw UserError("--fold is '" + text + "'", "write K/N, such as --fold 0/5");
  const Fold fold = {static_cast<std::size_t>(parse_int(text.substr(0, slash), "--fold")),
                     static_cast<std::size_t>(parse_int(text.substr(slash + 1), "--fold"))};
  if (fold.of < 2 || fold.number >= fold.of)
    throw UserError("there is no fold " + text, "folds are counted from 0, and there are at least two");
  return fold;
}

Arguments parse_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) {
      arguments.sets.push_back(word);
      continue;
    }
    const auto found = std::ranges::find(flags(), word, &Flag::name);
    if (found == flags().end()) {
      std::vector<std::string> names;
      for (const Flag& flag : flags()) names.push_back(flag.name);
      throw UserError("there is no flag " + word, did_you_mean(word, names));
    }
    if (found->takes_value && i + 1 == words.size())
      throw UserError(word + " needs a value", "`hone-train --help` shows how it is called");
    found->use(arguments, found->takes_value ? words[++i] : "");
  }
  check_arguments(arguments);
  return arguments;
}

}  // namespace hone::train
