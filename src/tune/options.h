// What a user may choose about a run.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace hone::tune {

enum class SpaceKind : std::uint8_t { Hone, Ansor };
enum class ScorerKind : std::uint8_t { Gbdt, Analytic, Random };
// What trials do to a trained scorer: trees learn where it is wrong, its last layer is fitted to them,
// nothing, an adapter beside its last layer is trained on them, or all of it is.
enum class ScorerUse : std::uint8_t { Residual, Tuned, Frozen, Adapter, Full };
// Whether the scorer must tell what its last layer reads.
constexpr bool needs_hidden(ScorerUse use) {
  return use == ScorerUse::Tuned || use == ScorerUse::Adapter;
}
enum class SearchKind : std::uint8_t { Evolution, Random, Annealing, Coordinate };

// In the order of the enums.
inline constexpr std::array<std::string_view, 2> kSpaceNames = {"hone", "ansor"};
inline constexpr std::array<std::string_view, 3> kScorerNames = {"gbdt", "analytic", "random"};
inline constexpr std::array<std::string_view, 5> kScorerUseNames = {"residual", "tuned", "frozen",
                                                                    "adapter", "full"};
inline constexpr std::array<std::string_view, 4> kSearchNames = {"evolution", "random", "annealing",
                                                                 "coordinate"};

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();
inline constexpr int kAnyTrials = -1;  // as many as the budget allows

struct Options {
  std::string op;      // as the user wrote it
  std::string folder;  // of the run
  // In all, those of earlier sessions of the run included. With 0 nothing is measured: what the scorer
  // likes best is taken.
  int trials = 200;
  double budget_s = kUnlimited;  // wall clock of this session
  SpaceKind space = SpaceKind::Hone;
  ScorerKind scorer = ScorerKind::Gbdt;
  std::string scorer_file;   // a trained scorer to begin with, instead of analysis
  std::string scorer_hash;   // of the file, for people
  std::string scorer_cache;  // folder of its compiled kernels; empty: made anew every time
  ScorerUse scorer_use = ScorerUse::Residual;
  std::string train_program;  // hone-train, which trains all of a scorer
  // Of a population that a trained scorer is shown: the best in the eyes of what needs no training.
  double scorer_share = 0.25;
  SearchKind search = SearchKind::Evolution;
  std::uint64_t seed = 1;
  int threads = 1;     // that a kernel runs on
  int jobs = 1;        // threads that choose candidates; the choice does not depend on it
  bool fresh = false;  // forget what the folder holds
  std::string replay;  // a log to take times from instead of measuring
};

// Of a run that has so many; without a limit there are always more.
std::size_t trials_left(const Options& options, std::size_t have);

std::string to_toml(const Options& options);

// What predicts speeds: "gbdt", or the file's name, hash and use.
std::string scorer_name(const Options& options);

// Where a run of this operator goes unless the user says otherwise: `runs/matmul-m512-n512-k512-t1`.
std::string default_folder(const Options& options);

}  // namespace hone::tune
