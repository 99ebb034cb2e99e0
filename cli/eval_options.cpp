#include "cli/eval_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "cli/option_parts.h"

namespace hone::cli {
namespace {

const std::vector<std::string> kFormats = {"json", "csv", "md", "svg", "npz"};

std::string one_of_formats(const std::string& word) {
  if (std::ranges::find(kFormats, word) != kFormats.end()) return {};
  return fmt::format("`{}` is no format; {}", word, did_you_mean(word, kFormats));
}

void add_what(CLI::App& command, Eval& options) {
  command.add_option("set", options.set, "A data set, as `hone dataset import` writes it")
      ->type_name("SET")
      ->required();
  command
      .add_option("--scorer", options.scorers,
                  "random, analytic, a trained file or those of all folds (A,B,C); seeds share a NAME")
      ->allow_extra_args(false)
      ->type_name("[NAME=]FILE");
  command
      .add_option("--scores", options.scores,
                  "Scores made elsewhere: an array with a number for each program of the set")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE.npy");
  command.add_option("--k", options.ks, "How many first picks count (default 1,5,10,20)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("1,5")
      ->check([](const std::string& text) { return count_up_to(1'000'000, "picks", text); });
}

void add_split(CLI::App& command, Eval& options) {
  command
      .add_option("--hold-out", options.hold_out,
                  "Networks whose tasks are the test split; judged are all others, unless --final")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NETWORKS");
  command
      .add_option(
          "--split", options.split,
          "The training set that `hone dataset split` wrote: all other tasks are the test split")
      ->type_name("SET");
  command.add_flag("--final", options.final_split,
                   "Open the test split: once, when all choices are made");
  command.add_option("--log", options.log, "With --final: note the opening as a line of this file")
      ->type_name("FILE");
}

void add_output(CLI::App& command, Eval& options) {
  command
      .add_option("--export", options.formats,
                  "Write json, csv, md (tables), svg (curves) and npz (all scores)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("json,csv,md,svg,npz")
      ->check(one_of_formats);
  command
      .add_option("-o,--output", options.prefix,
                  "What the names of exported files begin with (default eval)")
      ->type_name("PREFIX");
  command.add_flag("--scatter", options.scatter,
                   "Write PREFIX.scatter.svg: predicted against measured speed");
  command.add_flag("--partial", options.partial,
                   "Also how well programs are told apart when their last steps are missing");
  command.add_flag("--search", options.search,
                   "Also how many trials lead to 90, 95 and 99 % of the best recorded speed");
  add_json(command, options.json);
}

}  // namespace

CLI::App* add_eval(CLI::App& app, Eval& options) {
  CLI::App* command =
      app.add_subcommand("eval", "Judges cost models on recorded programs, side by side");
  command->footer(
      "  hone eval set.hds --scorer random --scorer model.scorer\n"
      "  hone eval set.hds --hold-out resnet_50,mobilenet_v2 --final --scores tlp=s0.npy --scores "
      "tlp=s1.npy\n"
      "  hone eval set.hds --scorer analytic --search --export md,svg -o results/analytic\n");
  add_what(*command, options);
  add_split(*command, options);
  add_output(*command, options);
  return command;
}

void complete(const CLI::App* command, const Eval& options) {
  const auto refuse = [&](const char* what) {
    throw UserError(what, fmt::format("`{} --help` begins with examples", full_name(command)));
  };
  const bool has_split = !options.hold_out.empty() || !options.split.empty();
  if (!options.hold_out.empty() && !options.split.empty())
    refuse("both --hold-out and --split are given; one of them says what the test split is");
  if (options.final_split && !has_split)
    refuse("--final opens a test split, which --hold-out or --split names");
  if (!options.log.empty() && !options.final_split)
    refuse("--log notes the opening of a test split, which --final asks for");
}

}  // namespace hone::cli
