#include "space/space.h"

#include <map>

#include "base/error.h"
#include "space/annotate/sketch_family.h"

namespace hone::space {

Space::Space(std::vector<std::unique_ptr<const Family>> families) : families_(std::move(families)) {
  check(!families_.empty(), "a space has at least one family");
}

const Family* Space::family_of(const Decisions& decisions) const {
  if (decisions.empty() || decisions.front() < 0) return nullptr;
  const auto number = static_cast<std::size_t>(decisions.front());
  return number < families_.size() ? families_[number].get() : nullptr;
}

std::optional<schedule::Steps> Space::decode(const Decisions& decisions) const {
  const Family* family = family_of(decisions);
  return family != nullptr ? family->decode(decisions) : std::nullopt;
}

std::optional<Decisions> Space::encode(const schedule::Steps& steps) const {
  for (const auto& family : families_) {
    if (std::optional<Decisions> decisions = family->encode(steps)) return decisions;
  }
  return std::nullopt;
}

std::optional<Decisions> Space::sample(Random& random) const {
  constexpr int kTries = 1000;  // few tile sizes at random keep within the limits of a GPU
  for (int i = 0; i < kTries; ++i) {
    const auto number =
        static_cast<std::size_t>(random.below(static_cast<std::int64_t>(families_.size())));
    if (std::optional<Decisions> decisions = families_[number]->sample(random)) return decisions;
  }
  return std::nullopt;
}

std::optional<Decisions> Space::mutate(const Decisions& decisions, Random& random) const {
  const Family* family = family_of(decisions);
  return family != nullptr ? family->mutate(decisions, random) : std::nullopt;
}

std::optional<Decisions> Space::cross(const Decisions& a, const Decisions& b,
                                      const std::function<bool(int node)>& from_a) const {
  const Family* family = family_of(a);
  if (family == nullptr || b.size() != a.size() || b.front() != a.front()) return std::nullopt;
  std::map<int, bool> chosen;
  Decisions mixed = a;
  for (std::size_t e = 1; e < a.size(); ++e) {
    const int node = family->node_of(e);
    const auto [place, is_new] = chosen.try_emplace(node, true);
    if (is_new && node >= 0) place->second = from_a(node);
    if (!place->second) mixed[e] = b[e];
  }
  return family->settle(std::move(mixed));
}

std::vector<Decisions> Space::neighbours(const Decisions& decisions) const {
  const Family* family = family_of(decisions);
  return family != nullptr ? family->neighbours(decisions) : std::vector<Decisions>{};
}

std::string Space::print(const Decisions& decisions) const {
  const Family* family = family_of(decisions);
  return family != nullptr ? family->print(decisions) : "no candidate of this space";
}

Space ansor_space(const std::shared_ptr<const task::Task>& task, const std::vector<Sketch>& sketches,
                  const Hardware& hardware) {
  Factorings factorings;
  std::vector<std::unique_ptr<const Family>> families;
  for (const Sketch& sketch : sketches) {
    families.push_back(std::make_unique<SketchFamily>(static_cast<int>(families.size()), task,
                                                      sketch.steps, hardware, factorings));
  }
  return Space(std::move(families));
}

}  // namespace hone::space
