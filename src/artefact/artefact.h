// A tuned model, ready to become a file.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "artefact/program.h"
#include "codegen/kernel.h"
#include "target/target.h"

namespace hone::artefact {

struct KernelUse {
  codegen::Kernel kernel;
  std::string record;  // the line of the trial that it comes from; empty: never tuned
  std::optional<ir::Program> loops = {};  // what it was compiled from, where that is wanted
};

// The model for one kind of machine.
struct Variant {
  target::Target target;
  int threads = 1;  // that it was tuned for
  std::vector<KernelUse> kernels;
  Program program;
};

struct Artefact {
  std::string model;         // its name
  std::string weights_hash;  // of the model's weights, as they were before packing
  std::string compiler;
  double tolerance = 0;  // largest error that was allowed of any kernel
  // The first that a machine can run is used there, so the most demanding one comes first. All have
  // the same inputs and outputs.
  std::vector<Variant> variants;
};

}  // namespace hone::artefact
