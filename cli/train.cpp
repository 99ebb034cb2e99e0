// `hone train`: a cost model from a data set.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "base/gzip.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/prepared_set.h"
#include "cli/train_corrected.h"
#include "cli/train_hone.h"
#include "cli/train_network.h"
#include "cli/train_program.h"
#include "cli/train_trees.h"
#include "score/corrected.h"
#include "score/scorer_file.h"

namespace hone::cli {
namespace {

// hone-train has said why.
struct Refused {
  int exit_code;
};

// The features that the kind reads.
std::vector<std::string> views_of(const Train& options) {
  if (is_tree_kind(options.kind)) return {"statements", "embedding"};
  if (options.kind == kCorrectedKind) return score::corrected_views();
  if (!options.networks.empty())
    return score::feature_names(
        score::parse_scorer(read_maybe_gzip(options.networks), options.networks).header);
  std::vector<std::string> arguments = {"--views"}, views;
  add_kind(arguments, options);
  const int code =
      run_train_program(arguments, false, [&](const std::string& line) { views.push_back(line); });
  if (code != kDone) throw Refused{code};
  return views;
}

void require_one_set_for_trees(const Train& options) {
  if (options.sets.size() == 1) return;
  const bool has_trees =
      is_tree_kind(options.kind) || options.kind == kCorrectedKind || !options.networks.empty() ||
      (is_hone_kind(options.kind) && std::ranges::count(options.settings, "trees=0") == 0);
  if (has_trees)
    throw UserError("trees are grown on one set",
                    "`hone dataset merge` makes one of several; networks alone (--set trees=0 of kind "
                    "hone, or another kind) take them as they are");
}

// The kinds, or the options of one.
int list_options(const std::string& kind) {
  if (is_tree_kind(kind)) {
    fmt::print("{}", tree_options_text());
    return kDone;
  }
  if (kind == kCorrectedKind) {
    fmt::print("{}", corrected_options_text());
    return kDone;
  }
  std::vector<std::string> arguments = {"--options"};
  if (kind.empty()) {
    fmt::print("{:<22}trees that learn where the analytic estimate is wrong\n", kCorrectedKind);
    for (const std::string& trees : tree_kinds())
      fmt::print("{:<22}TenSet's trees over statements\n", trees);
  } else {
    arguments.insert(arguments.end(), {"--kind", kind});
  }
  return run_train_program(arguments, false, [](const std::string& line) { fmt::print("{}\n", line); });
}

}  // namespace

int train(const Train& options) {
  if (options.list_options) return list_options(options.kind);
  if (options.sets.empty() || options.output.empty())
    throw UserError("`hone train` needs a data set and a file to write",
                    "for example: hone train set.hds -o my.scorer");
  if (!options.networks.empty() && !is_hone_kind(options.kind))
    throw UserError("trees join networks of kind hone only", "leave --networks or --kind away");
  require_one_set_for_trees(options);
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not a death
  try {
    Train prepared = options;
    if (options.threads == 0)
      prepared.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const PreparedSets sets(options.sets, views_of(options), options.output, prepared.threads);
    prepared.sets = sets.paths();
    if (is_tree_kind(options.kind)) return train_trees(prepared);
    if (options.kind == kCorrectedKind) return train_corrected(prepared);
    const bool has_trees = is_hone_kind(options.kind) && options.sets.size() == 1;
    return has_trees ? train_hone(prepared) : train_network(prepared);
  } catch (const Refused& refused) {
    return refused.exit_code;
  }
}

}  // namespace hone::cli
