// `hone inspect ARTEFACT`: which kernels run where, tuned or not, and what lies in the memory of
// others.
#pragma once
#include <string>

namespace hone::cli {

int inspect_artefact(const std::string& file, bool json);

}  // namespace hone::cli
