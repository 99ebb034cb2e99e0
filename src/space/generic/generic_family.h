// The candidates of hone's generic structure: tiles in registers, rows in vectors, sizes of any kind.
#pragma once
#include <memory>

#include "space/family.h"
#include "space/generic/choice_entries.h"
#include "target/target.h"

namespace hone::space {

class GenericFamily final : public Family {
 public:
  GenericFamily(int number, std::shared_ptr<const task::Task> task, const target::Target& target,
                int threads);

  std::optional<schedule::Steps> decode(const Decisions& decisions) const override;
  std::optional<Decisions> encode(const schedule::Steps& steps) const override;
  std::optional<Decisions> fit(const schedule::Steps& steps) const override;
  std::optional<Decisions> sample(Random& random) const override;
  std::optional<Decisions> mutate(const Decisions& decisions, Random& random) const override;
  std::optional<Decisions> settle(Decisions mixed) const override;
  std::vector<Decisions> neighbours(const Decisions& decisions) const override;
  Owner owner_of(std::size_t entry) const override;
  std::string print(const Decisions& decisions) const override;

 private:
  bool is_mine(const Decisions& decisions) const;
  bool settle_tiles(Choice& choice) const;
  bool settle_panels(std::size_t op, Tiling& tiling) const;
  std::string print_panel(const ChoiceEntry& entry, std::int64_t place) const;
  // Numbers that the entry may step to from its present one.
  std::vector<std::int64_t> steps_from(std::size_t entry, std::int64_t value) const;
  std::int64_t most(const ChoiceEntry& entry) const;

  int number_;
  std::shared_ptr<const task::Task> task_;
  target::Target target_;
  int threads_;
  std::vector<StageRole> roles_;
  ChoiceEntries entries_;
  std::vector<std::vector<bool>> borders_;  // border_axes of each tiled op
};

}  // namespace hone::space
