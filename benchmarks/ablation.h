// The default search with parts of it left out, to see what each is worth.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tune/tune.h"

namespace hone::bench {

struct AblationVariant {
  const char* name;
  const char* meaning;
};
// The first one leaves nothing out.
const std::vector<AblationVariant>& ablation_variants();

// Parts that search the way the variant does, without what hone emits untuned: no search found that.
tune::Parts ablation_parts(const std::string& variant, const std::shared_ptr<const task::Task>& task,
                           const tune::Options& options);

}  // namespace hone::bench
