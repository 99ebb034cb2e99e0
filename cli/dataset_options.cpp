#include "cli/dataset_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/nearest.h"
#include "cli/option_parts.h"

namespace hone::cli {
namespace {

const std::vector<std::string> kSplits = {"task", "structure", "model", "target", "list"};

CLI::App& add_verb(CLI::App& dataset, const char* name, const char* what, const char* examples) {
  CLI::App* verb = dataset.add_subcommand(name, what);
  verb->footer(examples);
  return *verb;
}

constexpr int kAny = -1;

void add_inputs(CLI::App& verb, Dataset& options, const char* name, const char* what, int most) {
  CLI::Option* inputs = verb.add_option(name, options.inputs, what)->type_name("FILE")->required();
  most == kAny ? inputs->expected(kAny) : inputs->expected(1, most);
}

void add_output(CLI::App& verb, Dataset& options, const char* what, bool is_required = true) {
  verb.add_option("-o,--output", options.output, what)->type_name("FILE")->required(is_required);
}

void add_import(CLI::App& dataset, Dataset& options) {
  CLI::App& verb = add_verb(dataset, "import", "Makes a data set of tuning logs",
                            "  hone dataset import records.jsonl.gz -o set.hds --machine e5-2673\n"
                            "  hone dataset import dataset/measure_records -o tenset.hds --networks "
                            "networks.tsv\n"
                            "  hone dataset import logs.tar.gz -o set.hds --machine "
                            "mine:kind=cpu,isa=avx2,cores=8\n");
  add_inputs(verb, options, "logs",
             "Logs of auto_scheduler or AutoTVM: text, .gz, .tar, .tar.gz, or folders", kAny);
  add_output(verb, options, "The data set to write");
  verb.add_option("--machine", options.machine,
                  "Where the logs were measured: a name of docs/formats/dataset.md, or one of your own "
                  "as NAME:kind=cpu,isa=avx2,cores=8")
      ->type_name("NAME");
  verb.add_flag("--one-machine", options.one_machine,
                "Records that state different numbers of cores are of one task all the same");
  verb.add_option("--dags", options.dags, "Computations: lines of {\"workload_key\", \"dag\"}")
      ->type_name("FILE");
  verb.add_option("--networks", options.networks,
                  "A table of workload_key and network with weight, or networks, tabs between")
      ->type_name("FILE");
  verb.add_flag("-v,--verbose", options.verbose, "Name every line that cannot be read");
  add_threads(verb, options.threads, "Threads to parse with (default one a core)");
  add_json(verb, options.json);
}

void add_export(CLI::App& dataset, Dataset& options) {
  CLI::App& verb = add_verb(dataset, "export", "Gives the log lines back, or features for NumPy",
                            "  hone dataset export set.hds > records.jsonl\n"
                            "  hone dataset export set.hds -o records.jsonl\n"
                            "  hone dataset export set.hds --features tlp -o folder\n");
  add_inputs(verb, options, "set", "A data set", 1);
  add_output(verb, options, "A file for the lines (default stdout), or a folder for features", false);
  verb.add_option("--features", options.features,
                  "Write this feature section, its labels and its tasks as .npy")
      ->type_name("NAME");
  add_json(verb, options.json);
}

void add_merge(CLI::App& dataset, Dataset& options) {
  CLI::App& verb = add_verb(dataset, "merge", "Puts several sets into one",
                            "  hone dataset merge k80.hds v100.hds -o gpus.hds\n"
                            "  hone dataset merge monday.hds tuesday.hds -o week.hds\n"
                            "  hone dataset merge a.hds b.hds -o all.hds --json\n");
  add_inputs(verb, options, "sets", "Data sets, each of a known machine", kAny);
  add_output(verb, options, "The data set to write");
  add_json(verb, options.json);
}

void add_split(CLI::App& dataset, Dataset& options) {
  CLI::App& verb =
      add_verb(dataset, "split", "Parts a set into one to learn from and one to be judged on",
               "  hone dataset split set.hds --by model --hold-out resnet_50,mobilenet_v2 -o part\n"
               "  hone dataset split set.hds --by task --share 0.2 --seed 7 -o part\n"
               "  hone dataset split set.hds --by target --hold-out t4 -o part\n");
  add_inputs(verb, options, "set", "A data set", 1);
  verb.add_option("-o,--output", options.output, "Writes NAME.train.hds and NAME.test.hds")
      ->type_name("NAME")
      ->required();
  verb.add_option("--by", options.by, "What is never on both sides (default task)")
      ->type_name(CLI::detail::join(kSplits, "|"))
      ->check([](const std::string& word) -> std::string {
        if (std::ranges::find(kSplits, word) != kSplits.end()) return {};
        return fmt::format("`{}` is nothing to split by; {}", word, did_you_mean(word, kSplits));
      });
  verb.add_option("--hold-out", options.hold_out,
                  "By model the networks to be judged on, by target the targets or machines, by list a "
                  "file of workload keys")
      ->type_name("NAMES");
  verb.add_option("--share", options.share,
                  "By task or structure the share to be judged on (default 0.1)")
      ->type_name("SHARE")
      ->check([](const std::string& text) -> std::string {
        const double share = std::strtod(text.c_str(), nullptr);
        return share > 0 && share < 1 ? "" : fmt::format("`{}` is no share between 0 and 1", text);
      });
  verb.add_option("--seed", options.seed, "Which of them (default 1)")->type_name("N");
  add_json(verb, options.json);
}

void add_sample(CLI::App& dataset, Dataset& options) {
  CLI::App& verb = add_verb(dataset, "sample", "Draws tasks and programs of a set into a smaller one",
                            "  hone dataset sample set.hds --tasks 150 --per-task 400 -o 150x400.hds\n"
                            "  hone dataset sample set.hds --tasks 50 --seed 7 -o fifty.hds\n"
                            "  hone dataset sample set.hds --per-task 10 -o thin.hds --json\n");
  add_inputs(verb, options, "set", "A data set", 1);
  add_output(verb, options, "The data set to write");
  verb.add_option("--tasks", options.tasks, "So many of the tasks (default all)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  verb.add_option("--per-task", options.per_task,
                  "So many programs of each; tasks that have fewer are left out (default all)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  verb.add_option("--seed", options.seed, "Which of them (default 1)")->type_name("N");
  add_json(verb, options.json);
}

void add_best(CLI::App& dataset, Dataset& options) {
  CLI::App& verb = add_verb(dataset, "best", "The fastest record of each task, as log lines",
                            "  hone dataset best set.hds > best.jsonl\n"
                            "  hone dataset best set.hds -o best.jsonl\n"
                            "  hone dataset best set.hds --json\n");
  add_inputs(verb, options, "set", "A data set", 1);
  add_output(verb, options, "A file for the lines (default stdout)", false);
  add_json(verb, options.json);
}

void add_stats(CLI::App& dataset, Dataset& options) {
  CLI::App& verb =
      add_verb(dataset, "stats", "How much there is, how noisy, how hard to beat by chance",
               "  hone dataset stats set.hds\n"
               "  hone dataset stats set.hds --crop 25x22 --crop 25x40\n"
               "  hone dataset stats set.hds --json\n");
  add_inputs(verb, options, "set", "A data set", 1);
  verb.add_option("--crop", options.crops,
                  "TLP's tables cut to so many steps and numbers (default its own and the whole)")
      ->type_name("STEPSxWIDTH")
      ->allow_extra_args(false);
  add_threads(verb, options.threads, "Threads (default one a core)");
  add_json(verb, options.json);
}

void add_check(CLI::App& dataset, Dataset& options) {
  CLI::App& verb = add_verb(dataset, "check", "Reads all of a set and says what is wrong with it",
                            "  hone dataset check set.hds\n"
                            "  hone dataset check k80.hds t4.hds\n"
                            "  hone dataset check set.hds --json\n");
  add_inputs(verb, options, "sets", "A data set; of two, also whether their programs are aligned", 2);
  verb.add_flag("-v,--verbose", options.verbose, "Name everything that is wrong");
  add_json(verb, options.json);
}

void add_align(CLI::App& dataset, Dataset& options) {
  CLI::App& verb = add_verb(dataset, "align", "Keeps of several sets the programs that all measured",
                            "  hone dataset align here.hds there.hds -o both\n"
                            "  hone dataset align machines/*.hds -o open\n"
                            "  hone dataset align a.hds b.hds -o both --json\n");
  add_inputs(verb, options, "sets", "Data sets of several machines; the first gives the order", kAny);
  add_output(verb, options, "A folder for the sets, which keep their names");
  add_json(verb, options.json);
}

void add_index(CLI::App& dataset, Dataset& options) {
  CLI::App& verb = add_verb(dataset, "index", "Makes the database of a run from its log again",
                            "  hone dataset index runs/resnet50\n"
                            "  hone dataset index runs/resnet50/records.jsonl\n"
                            "  hone dataset index runs/resnet50 --json\n");
  add_inputs(verb, options, "run", "The folder of a run, or its log", 1);
  add_json(verb, options.json);
}

void add_features(CLI::App& dataset, Dataset& options) {
  CLI::App& verb = add_verb(dataset, "features", "Adds what models see of the programs",
                            "  hone dataset features set.hds --add tlp -o rows.hds\n"
                            "  hone dataset features set.hds --add statements,context -o rows.hds\n"
                            "  hone dataset features set.hds --add tlp_54x40 -o rows.hds\n");
  add_inputs(verb, options, "set", "A data set", 1);
  verb.add_option("--add", options.add, "Names between commas; docs/formats/features.md has them")
      ->type_name("NAMES")
      ->delimiter(',')
      ->required();
  verb.add_option("--machine", options.machine,
                  "Describe a machine of the set anew, as NAME:kind=cpu,cores=8, or by a known name")
      ->type_name("NAME");
  add_output(verb, options, "The data set to write: a copy with the features");
  add_threads(verb, options.threads, "Threads (default one a core)");
  add_json(verb, options.json);
}

}  // namespace

void add_dataset(CLI::App& app, Dataset& options) {
  CLI::App* dataset = app.add_subcommand("dataset", "Imports, parts and describes measured programs");
  dataset->footer(
      "  hone dataset import records.jsonl.gz -o set.hds --machine e5-2673\n"
      "  hone dataset stats set.hds\n"
      "  hone dataset split set.hds --by model --hold-out resnet_50 -o part\n");
  add_import(*dataset, options);
  add_export(*dataset, options);
  add_merge(*dataset, options);
  add_split(*dataset, options);
  add_sample(*dataset, options);
  add_best(*dataset, options);
  add_stats(*dataset, options);
  add_check(*dataset, options);
  add_index(*dataset, options);
  add_features(*dataset, options);
  add_align(*dataset, options);
}

std::optional<Dataset> dataset_verb(const CLI::App* command, Dataset options) {
  const CLI::App* parent = command->get_parent();
  if (parent == nullptr || parent->get_name() != "dataset") return std::nullopt;
  options.verb = command->get_name();
  return options;
}

}  // namespace hone::cli
