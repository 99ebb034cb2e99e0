// The program `hone`: runs one command and turns errors into messages and exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "base/error.h"
#include "base/match.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "measure/no_worker.h"

namespace {

using namespace hone;  // NOLINT(google-build-using-namespace): main names things of every folder

int run(const cli::Command& command) {
  return match(
      command, [](const cli::Inspect& options) { return cli::inspect(options); },
      [](const cli::Bench& options) { return cli::bench(options); },
      [](const cli::Compile& options) { return cli::compile(options); },
      [](const cli::Run& options) { return cli::run(options); },
      [](const cli::Tune& options) { return cli::tune_command(options); },
      [](const cli::Dataset& options) { return cli::dataset(options); },
      [](const cli::Train& options) { return cli::train(options); },
      [](const cli::Collect& options) { return cli::collect(options); },
      [](const cli::Transfer& options) { return cli::transfer(options); },
      [](const cli::Eval& options) { return cli::eval(options); },
      [](const cli::Explain& options) { return cli::explain(options); },
      [](const cli::ShowTarget& options) { return cli::show_target(options); },
      [](const cli::Doctor& options) { return cli::doctor(options); },
      [](const cli::Say& say) {
        fmt::print("{}", say.text);
        return cli::kDone;
      });
}

int report(const UserError& error, int exit_code) {
  fmt::print(stderr, "{} {}\n", cli::paint("error:", cli::Colour::Red, stderr), error.what());
  if (!error.hint().empty()) {
    fmt::print(stderr, "\n{} {}\n", cli::paint("hint:", cli::Colour::Yellow, stderr), error.hint());
  }
  return exit_code;
}

int report_bug(const char* what) {
  fmt::print(
      stderr,
      "{} {}\n\nThis is a bug in hone, not a mistake of yours. Please report it with the command you "
      "ran and the output of `hone doctor`.\n",
      cli::paint("internal error:", cli::Colour::Red, stderr), what);
  return cli::kOurBug;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(cli::parse_command(argc, argv));
  } catch (const measure::NoWorker& error) {
    return report(error, cli::kNoWorker);
  } catch (const UserError& error) {
    return report(error, cli::kWrongUse);
  } catch (const std::bad_alloc&) {
    return report(UserError("there is not enough memory", "free some, or see if the shapes are right"),
                  cli::kWrongUse);
  } catch (const std::exception& error) {
    return report_bug(error.what());
  } catch (...) {
    return report_bug("something was thrown that is no error");
  }
}
