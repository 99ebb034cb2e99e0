// The commands: each prints its data to stdout and returns the exit code.
#pragma once
#include "cli/options.h"

namespace hone::cli {

int inspect(const Inspect& options);
int bench(const Bench& options);
int compile(const Compile& options);
int run(const Run& options);
int tune_command(const Tune& options);
int dataset(const Dataset& options);
int train(const Train& options);
int collect(const Collect& options);
int transfer(const Transfer& options);
int eval(const Eval& options);
int explain(const Explain& options);
int show_target(const ShowTarget& options);
int doctor(const Doctor& options);

}  // namespace hone::cli
