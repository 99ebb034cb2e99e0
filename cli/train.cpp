// `hone train`: a cost model from a data set.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "base/duration.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/live_lines.h"
#include "cli/prepared_set.h"
#include "cli/train_program.h"
#include "cli/train_trees.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

// The events of hone-train as people read them.
class TrainDisplay {
 public:
  explicit TrainDisplay(bool as_json) : as_json_(as_json) {}

  void show(const std::string& line) {
    if (as_json_) {
      fmt::print("{}\n", line);
      std::fflush(stdout);
      return;
    }
    const Json event = Json::parse(line);
    const std::string kind = event.at("event");
    if (kind == "start") show_start(event);
    if (kind == "epoch") show_epoch(event);
    if (kind == "warning")
      lines_.say_above(fmt::format("warning: {}\n", event.at("text").get<std::string>()));
    if (kind == "done") show_done(event);
  }

 private:
  void show_start(const Json& event) {
    lines_.say_above(
        fmt::format("{}: {} parameters, on {}\n{} programs of {} tasks; {} tasks choose the epoch\n",
                    event.at("kind").get<std::string>(), event.at("parameters").get<std::int64_t>(),
                    event.at("device").get<std::string>(), event.at("programs").get<std::int64_t>(),
                    event.at("training_tasks").get<std::int64_t>(),
                    event.at("validation_tasks").get<std::int64_t>()));
  }

  void show_epoch(const Json& event) {
    last_ = event;
    const auto number = [&](const char* name) {
      return event.at(name).is_null() ? 0 : event.at(name).get<double>();
    };
    const std::string line = fmt::format(
        "epoch {:>3}/{}  loss {:.4g}  validation {:.4g}  top-1 {:.3f}  top-5 {:.3f}  left {}",
        event.at("epoch").get<int>(), event.at("epochs").get<int>(), number("loss"),
        number("validation_loss"), number("top1"), number("top5"), print_clock(number("seconds_left")));
    if (::isatty(STDERR_FILENO) != 0 && wants_progress())
      lines_.show({line});
    else
      lines_.say_above(line + "\n");
  }

  void show_done(const Json& event) {
    lines_.clear();
    fmt::print("{}: epoch {} of {}, {}\n", event.at("file").get<std::string>(),
               event.at("kept_epoch").get<int>(), last_.empty() ? 0 : last_.at("epoch").get<int>(),
               print_clock(event.at("seconds").get<double>()));
  }

  bool as_json_;
  LiveLines lines_;
  Json last_;  // epoch
};

// hone-train has said why.
struct Refused {
  int exit_code;
};

void add_kind(std::vector<std::string>& arguments, const Train& options) {
  if (!options.kind.empty()) arguments.insert(arguments.end(), {"--kind", options.kind});
  for (const std::string& setting : options.settings)
    arguments.insert(arguments.end(), {"--set", setting});
}

// The features that the kind reads.
std::vector<std::string> views_of(const Train& options) {
  if (is_tree_kind(options.kind)) return {"statements", "embedding"};
  std::vector<std::string> arguments = {"--views"}, views;
  add_kind(arguments, options);
  const int code =
      run_train_program(arguments, false, [&](const std::string& line) { views.push_back(line); });
  if (code != kDone) throw Refused{code};
  return views;
}

std::vector<std::string> arguments_of(const Train& options) {
  std::vector<std::string> out = {options.set,
                                  "-o",
                                  options.output,
                                  "--device",
                                  options.device,
                                  "--threads",
                                  std::to_string(options.threads)};
  add_kind(out, options);
  if (!options.fold.empty()) out.insert(out.end(), {"--fold", options.fold});
  if (options.resume) out.emplace_back("--resume");
  if (options.fresh) out.emplace_back("--fresh");
  return out;
}

int train_network(const Train& options) {
  const Interrupt interrupt;
  TrainDisplay display(options.json);
  const int code = run_train_program(arguments_of(options), interrupt.asked(),
                                     [&](const std::string& line) { display.show(line); });
  if (code == kStopped) fmt::print(stderr, "stopped; `hone train ... --resume` goes on where it was\n");
  return code;
}

// The kinds, or the options of one.
int list_options(const std::string& kind) {
  if (is_tree_kind(kind)) {
    fmt::print("{}", tree_options_text());
    return kDone;
  }
  std::vector<std::string> arguments = {"--options"};
  if (kind.empty())
    for (const std::string& trees : tree_kinds())
      fmt::print("{:<22}TenSet's trees over statements\n", trees);
  else
    arguments.insert(arguments.end(), {"--kind", kind});
  return run_train_program(arguments, false, [](const std::string& line) { fmt::print("{}\n", line); });
}

}  // namespace

int train(const Train& options) {
  if (options.list_options) return list_options(options.kind);
  if (options.set.empty() || options.output.empty())
    throw UserError("`hone train` needs a data set and a file to write",
                    "for example: hone train set.hds -o my.scorer");
  try {
    const int threads =
        options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
    const PreparedSet set(options.set, views_of(options), options.output + ".features.hds", threads);
    Train prepared = options;
    prepared.set = set.path();
    return is_tree_kind(options.kind) ? train_trees(prepared) : train_network(prepared);
  } catch (const Refused& refused) {
    return refused.exit_code;
  }
}

}  // namespace hone::cli
