// The program `hone-train`: turns a command line into a training, events into lines, errors into
// messages.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>

#include "base/error.h"
#include "train/arguments.h"
#include "train/kinds.h"
#include "train/predict.h"
#include "train/timing.h"
#include "train/trainer.h"

namespace {

using namespace hone;  // NOLINT(google-build-using-namespace): main names things of every folder

// As `hone` itself ends.
constexpr int kDone = 0, kWrongUse = 2, kOurBug = 4, kStopped = 130;

std::atomic<bool> stop_asked = false;

// Large tensors are freed and asked for again all the time: giving their pages back in between makes
// training on a CPU up to 1.4 times slower.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
  mallopt(M_TOP_PAD, 64 << 20);
}

// The first signal asks training to stop, the second ends the program.
void listen_for_signals() {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::signal(signal, [](int number) {
      stop_asked = true;
      std::signal(number, SIG_DFL);
    });
  }
}

// Nobody may be reading any more; training goes on.
void write_all(int descriptor, const std::string& text) {
  [[maybe_unused]] const auto written = write(descriptor, text.data(), text.size());
}

train::Listener lines_to(int descriptor) {
  std::signal(SIGPIPE, SIG_IGN);
  return [descriptor](const train::Event& event) { write_all(descriptor, event.line()); };
}

// A line each: the options of a kind, or the kinds when none is named.
std::string listing(const std::string& kind) {
  std::string text;
  const auto add = [&](std::string name, std::size_t width, const std::string& rest) {
    name.resize(std::max(name.size() + 2, width), ' ');
    text += name + rest;
  };
  if (kind.empty()) {
    for (const train::Kind& each : train::kinds()) add(each.name, 22, each.summary + "\n");
    return text;
  }
  const train::Options defaults = train::kind_named(kind).defaults();
  for (const train::Option& option : defaults.all()) {
    add(option.name, 16, "");
    add(option.value, 12, option.meaning + "\n");
  }
  return text;
}

std::string views(const std::string& kind, const train::Options& options) {
  std::string text;
  for (const std::string& view : train::kind_named(kind).views(options)) text += view + "\n";
  return text;
}

int run(const std::vector<std::string>& words) {
  const train::Arguments arguments = train::parse_arguments(words);
  if (arguments.help) {
    std::fputs(train::kHelp, stdout);
    return kDone;
  }
  if (arguments.list_options) {
    write_all(arguments.progress_descriptor, listing(arguments.kind));
    return kDone;
  }
  const std::string kind = arguments.kind.empty() ? "hone" : arguments.kind;
  train::Options options = train::kind_named(kind).defaults();
  options.set_all(arguments.settings);
  if (arguments.list_views) {
    write_all(arguments.progress_descriptor, views(kind, options));
    return kDone;
  }
  keep_freed_memory();
  train::use_threads(arguments.threads);
  const std::string device = train::choose_device(arguments.device);
  if (arguments.time) {
    train::time_predictions(arguments.scorer, arguments.sets.front(), arguments.output, device,
                            arguments.progress_descriptor);
    return kDone;
  }
  if (arguments.predict) {
    train::predict(arguments.scorer, arguments.sets.front(), arguments.output, arguments.in_parts,
                   device);
    return kDone;
  }
  const train::Job job{.sets = arguments.sets,
                       .kind = kind,
                       .output = arguments.output,
                       .options = options,
                       .left_out = arguments.left_out,
                       .target = arguments.target,
                       .from = arguments.from,
                       .device = device,
                       .resume = arguments.resume,
                       .fresh = arguments.fresh};
  listen_for_signals();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not a death
  const auto outcome = train::train(job, lines_to(arguments.progress_descriptor), stop_asked);
  if (outcome != train::Outcome::Done) return kStopped;
  if (!arguments.scored.empty())
    train::predict(job.output, arguments.scored, job.output + ".npy", arguments.in_parts, device);
  return kDone;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const UserError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    if (!error.hint().empty()) std::fprintf(stderr, "\nhint: %s\n", error.hint().c_str());
    return kWrongUse;
  } catch (const std::bad_alloc&) {
    std::fputs("error: there is not enough memory\n\nhint: set a smaller batch\n", stderr);
    return kWrongUse;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
    return kOurBug;
  }
}
