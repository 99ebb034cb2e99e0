#include "cli/artefact_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "runtime/format.h"

namespace hone::cli {

bool is_artefact(const std::string& file) {
  std::array<char, sizeof runtime::kMagic> begin{};
  std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
  return file.ends_with(".hone") || std::ranges::equal(begin, runtime::kMagic);
}

artefact::Session open_artefact(const std::string& file, int threads) {
  artefact::Session session(file);
  artefact::set_threads(threads);
  const int tuned = session.about().tuned_threads;
  if (tuned != hone_threads()) {
    fmt::print(stderr, "note: {} was made for {} thread{} and runs on {}\n", file, tuned,
               tuned == 1 ? "" : "s", hone_threads());
  }
  return session;
}

}  // namespace hone::cli
