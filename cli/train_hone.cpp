#include "cli/train_hone.h"

#include <filesystem>

#include "base/error.h"
#include "cli/exit_code.h"
#include "cli/join_trees.h"
#include "cli/train_network.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

// Where the networks wait for the trees; what is stopped in between goes on from there.
std::string waiting_networks(const Train& options) { return options.output + ".networks"; }

int train_networks(const Train& options) {
  const std::string file = waiting_networks(options);
  const bool is_there = fs::exists(file);
  if (is_there && options.resume) return kDone;
  if (is_there && !options.fresh)
    throw UserError(file + " is left of an earlier training",
                    "go on from it with --resume, or begin anew with --fresh");
  Train networks = options;
  networks.output = file;
  return train_network(networks);
}

}  // namespace

bool is_hone_kind(const std::string& kind) { return kind.empty() || kind == "hone"; }

int train_hone(const Train& options) {
  if (!options.networks.empty()) return join_trees(options, options.networks);
  if (const int code = train_networks(options); code != kDone) return code;
  const int code = join_trees(options, waiting_networks(options));
  if (code == kDone) fs::remove(waiting_networks(options));
  return code;
}

}  // namespace hone::cli
