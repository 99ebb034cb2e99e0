#include "cli/train_display.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/duration.h"
#include "cli/environment.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& event, const char* name) {
  return event.at(name).is_null() ? 0 : event.at(name).get<double>();
}

}  // namespace

void TrainDisplay::show(const std::string& line) {
  if (as_json_) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
    return;
  }
  const Json event = Json::parse(line);
  const std::string kind = event.at("event");
  if (kind == "start") show_start(event);
  if (kind == "epoch") show_epoch(event);
  if (kind == "tree") show_tree(event);
  if (kind == "pretraining") show_pretraining(event);
  if (kind == "source") show_source(event);
  if (kind == "warning")
    lines_.say_above(fmt::format("warning: {}\n", event.at("text").get<std::string>()));
  if (kind == "done") show_done(event);
}

void TrainDisplay::show_start(const Json& event) {
  lines_.say_above(fmt::format(
      "{}: {} parameters, on {}\n{} programs of {} tasks; {} tasks choose the epoch\n{}\n",
      event.at("kind").get<std::string>(), event.at("parameters").get<std::int64_t>(),
      event.at("device").get<std::string>(), event.at("programs").get<std::int64_t>(),
      event.at("training_tasks").get<std::int64_t>(), event.at("validation_tasks").get<std::int64_t>(),
      event.at("platforms").get<std::string>()));
}

void TrainDisplay::show_epoch(const Json& event) {
  last_ = event;
  show_progress(
      fmt::format("epoch {:>3}/{}  loss {:.4g}  validation {:.4g}  top-1 {:.3f}  top-5 {:.3f}  left {}",
                  event.at("epoch").get<int>(), event.at("epochs").get<int>(), number(event, "loss"),
                  number(event, "validation_loss"), number(event, "top1"), number(event, "top5"),
                  print_clock(number(event, "seconds_left"))));
}

void TrainDisplay::show_pretraining(const Json& event) {
  show_progress(fmt::format("pretraining {:>3}/{}  loss {:.4g}", event.at("epoch").get<int>(),
                            event.at("epochs").get<int>(), number(event, "loss")));
}

void TrainDisplay::show_source(const Json& event) {
  lines_.say_above(
      fmt::format("source {} is {}: without it pairs are ordered right by {:+.3f} +- {:.3f}\n",
                  event.at("platform").get<std::string>(), event.at("verdict").get<std::string>(),
                  number(event, "gain_without"), number(event, "error")));
}

void TrainDisplay::show_tree(const Json& event) {
  show_progress(fmt::format("tree {:>4}/{}  error {:.4g}  left {}", event.at("tree").get<int>(),
                            event.at("trees").get<int>(), number(event, "error"),
                            print_clock(number(event, "seconds_left"))));
}

void TrainDisplay::show_progress(const std::string& line) {
  if (::isatty(STDERR_FILENO) != 0 && wants_progress())
    lines_.show({line});
  else
    lines_.say_above(line + "\n");
}

void TrainDisplay::show_done(const Json& event) {
  lines_.clear();
  const std::string file = event.at("file"), clock = print_clock(event.at("seconds").get<double>());
  if (event.contains("trees"))
    fmt::print("{}: {} trees, validation top-1 {:.3f}, top-5 {:.3f}, {}\n", file,
               event.at("trees").get<int>(), number(event, "top1"), number(event, "top5"), clock);
  else
    fmt::print("{}: epoch {} of {}, {}\n", file, event.at("kept_epoch").get<int>(),
               last_.empty() ? 0 : last_.at("epoch").get<int>(), clock);
}

}  // namespace hone::cli
