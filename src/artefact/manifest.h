// What an artefact says of itself, in JSON: for people and tools; to run it nobody reads this.
#pragma once
#include <string>
#include <vector>

#include "artefact/artefact.h"
#include "artefact/plan_memory.h"

namespace hone::artefact {

class Manifest {
 public:
  explicit Manifest(const Artefact& artefact) : artefact_(artefact) {}

  void add(const Variant& variant, const MemoryPlan& plan);

  std::string text() const;  // one object, as docs/formats/artefact.md has it
  // The lines that kernels come from; a kernel names its line by number.
  const std::string& records() const { return records_; }

 private:
  std::string kernel(const KernelUse& use);

  const Artefact& artefact_;
  std::vector<std::string> variants_;
  std::string records_;
  int record_count_ = 0;
};

}  // namespace hone::artefact
