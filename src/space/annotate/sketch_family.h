// The candidates of one sketch, as Ansor's annotation rules complete it.
#pragma once
#include <memory>

#include "space/annotate/choices.h"
#include "space/annotate/gpu_limits.h"
#include "space/family.h"

namespace hone::space {

class SketchFamily final : public Family {
 public:
  // `factorings` is shared by the sketches of a task. With a target the family is one of hone's own
  // space: tiles need not divide, and what spills on that machine is neither sampled nor mutated to.
  SketchFamily(int number, const std::shared_ptr<const task::Task>& task, const schedule::Steps& sketch,
               const Hardware& hardware, Factorings& factorings,
               std::optional<target::Target> target = std::nullopt);

  std::optional<schedule::Steps> decode(const Decisions& decisions) const override;
  std::optional<Decisions> encode(const schedule::Steps& steps) const override;
  std::optional<Decisions> fit(const schedule::Steps& steps) const override;
  std::optional<Decisions> sample(Random& random) const override;
  std::optional<Decisions> mutate(const Decisions& decisions, Random& random) const override;
  std::optional<Decisions> settle(Decisions mixed) const override;
  std::vector<Decisions> neighbours(const Decisions& decisions) const override;
  Owner owner_of(std::size_t entry) const override {
    const Entry& owner = outline_.entries[entry];
    return {ops_[static_cast<std::size_t>(owner.node)], owner.group};
  }
  std::string print(const Decisions& decisions) const override;
  SketchView view() const { return {outline_, arithmetic_, hardware_, target_.has_value()}; }

 private:
  bool is_cpu() const { return hardware_.kind == Hardware::Kind::Cpu; }
  // What the steps say, if they may be of this sketch at all.
  std::optional<Decisions> read(const schedule::Steps& steps) const;
  bool is_mine(const Decisions& decisions) const;
  bool is_worthwhile(const Decisions& decisions) const;

  int number_;
  Hardware hardware_;
  std::optional<target::Target> target_;
  Outline outline_;
  std::vector<int> ops_;  // of the task, one a stage
  ExtentArithmetic arithmetic_;
  GpuLimits limits_;
};

}  // namespace hone::space
