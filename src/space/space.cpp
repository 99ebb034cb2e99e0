#include "space/space.h"

#include <map>

#include "base/error.h"
#include "space/annotate/sketch_family.h"
#include "space/generic/generic_family.h"

namespace hone::space {

Space::Space(std::vector<Member> members) : members_(std::move(members)) {
  check(!members_.empty(), "a space has at least one family");
}

const Family* Space::family_of(const Decisions& decisions) const {
  if (decisions.empty() || decisions.front() < 0) return nullptr;
  const auto number = static_cast<std::size_t>(decisions.front());
  return number < members_.size() ? members_[number].family.get() : nullptr;
}

std::optional<Decisions> Space::first_name(std::optional<Decisions> decisions) const {
  const auto number = decisions ? static_cast<std::size_t>(decisions->front()) : 0;
  if (!decisions || !members_[number].overlaps) return decisions;
  const schedule::Steps steps = *decode(*decisions);
  for (std::size_t i = 0; i < number; ++i) {
    if (std::optional<Decisions> earlier = members_[i].family->encode(steps)) return earlier;
  }
  return decisions;
}

std::optional<schedule::Steps> Space::decode(const Decisions& decisions) const {
  const Family* family = family_of(decisions);
  return family != nullptr ? family->decode(decisions) : std::nullopt;
}

std::optional<Decisions> Space::encode(const schedule::Steps& steps) const {
  for (const Member& member : members_) {
    if (std::optional<Decisions> decisions = member.family->encode(steps)) return decisions;
  }
  return std::nullopt;
}

std::optional<Decisions> Space::fit(const schedule::Steps& steps) const {
  for (const Member& member : members_) {
    if (std::optional<Decisions> decisions = member.family->fit(steps)) return first_name(decisions);
  }
  return std::nullopt;
}

std::optional<Decisions> Space::sample(Random& random) const {
  constexpr int kTries = 1000;  // few tile sizes at random keep within the limits of a machine
  double sum = 0;
  for (const Member& member : members_) sum += member.share;
  for (int i = 0; i < kTries; ++i) {
    double point = random.unit() * sum;
    std::size_t number = 0;
    while (number + 1 < members_.size() && point >= members_[number].share) {
      point -= members_[number++].share;
    }
    std::optional<Decisions> decisions = members_[number].family->sample(random);
    if (decisions) return first_name(std::move(decisions));
  }
  return std::nullopt;
}

std::optional<Decisions> Space::mutate(const Decisions& decisions, Random& random) const {
  const Family* family = family_of(decisions);
  return family != nullptr ? first_name(family->mutate(decisions, random)) : std::nullopt;
}

std::optional<Decisions> Space::cross(const Decisions& a, const Decisions& b,
                                      const std::function<bool(int node)>& from_a,
                                      Random& random) const {
  const Family* family = family_of(a);
  if (family == nullptr || b.size() != a.size() || b.front() != a.front()) return std::nullopt;
  std::map<int, bool> nodes, groups;
  Decisions by_node = a, by_group = a;
  for (std::size_t e = 1; e < a.size(); ++e) {
    const Family::Owner owner = family->owner_of(e);
    const auto [node, is_new_node] = nodes.try_emplace(owner.node);
    if (is_new_node) node->second = from_a(owner.node);
    const auto [group, is_new_group] = groups.try_emplace(owner.group);
    if (is_new_group) group->second = random.below(2) == 0;
    if (!node->second) by_node[e] = b[e];
    if (!group->second) by_group[e] = b[e];
  }
  const bool is_copy = by_node == a || by_node == b;
  return first_name(family->settle(is_copy ? std::move(by_group) : std::move(by_node)));
}

std::vector<Decisions> Space::neighbours(const Decisions& decisions) const {
  const Family* family = family_of(decisions);
  if (family == nullptr) return {};
  std::vector<Decisions> found = family->neighbours(decisions);
  for (Decisions& other : found) other = *first_name(std::move(other));
  return found;
}

std::string Space::print(const Decisions& decisions) const {
  const Family* family = family_of(decisions);
  return family != nullptr ? family->print(decisions) : "no candidate of this space";
}

Space ansor_space(const std::shared_ptr<const task::Task>& task, const std::vector<Sketch>& sketches,
                  const Hardware& hardware) {
  Factorings factorings;
  std::vector<Space::Member> members;
  for (const Sketch& sketch : sketches) {
    const int number = static_cast<int>(members.size());
    members.push_back(
        {std::make_unique<SketchFamily>(number, task, sketch.steps, hardware, factorings), 1});
  }
  return Space(std::move(members));
}

Space hone_space(const std::shared_ptr<const task::Task>& task, const std::vector<Sketch>& sketches,
                 const target::Target& target) {
  constexpr double kGenericShare = 4;  // to one for all sketches together: it reaches the roofline here
  Factorings factorings;
  std::vector<Space::Member> members;
  for (const Sketch& sketch : sketches) {
    const int number = static_cast<int>(members.size());
    members.push_back({std::make_unique<SketchFamily>(number, task, sketch.steps, hardware_of(target),
                                                      factorings, target),
                       1.0 / static_cast<double>(sketches.size())});
  }
  const int number = static_cast<int>(members.size());
  members.push_back(
      {std::make_unique<GenericFamily>(number, task, target, target.cores), kGenericShare, true});
  return Space(std::move(members));
}

}  // namespace hone::space
