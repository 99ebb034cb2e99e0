// The scorer file: what a trained cost model is, then its weights as bytes. docs/formats/scorer.md
// describes it. Needs a compiler only, because hone-train is built from it where there is nothing else.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hone::score {

// What a file says of its model.
struct ModelHeader {
  std::string kind;
  std::string features;            // names and versions of the columns, e.g. "statements 1"
  std::string data_hash;           // of what it was trained on
  std::vector<std::string> tasks;  // workload keys of what it was trained on
  std::vector<std::pair<std::string, double>> metrics = {};
  std::vector<std::pair<std::string, std::string>> options = {};         // it was trained with
  std::vector<std::pair<std::string, std::vector<double>>> curves = {};  // a value an epoch
  std::string target = {};  // the machine that it was trained for; empty: none in particular
  std::vector<std::pair<std::string, double>> platforms = {};  // machines and their labelled programs
};

// Sixteen digits.
std::string hexadecimal(std::uint64_t word);

struct ScorerFile {
  ModelHeader header;
  std::string weights;
};

std::string print_scorer(const ScorerFile& scorer);
// Throws UserError, with a hint that names `path`, when the bytes are no intact scorer.
ScorerFile parse_scorer(std::string_view bytes, const std::string& path);

// The features that it reads, without versions.
std::vector<std::string> feature_names(const ModelHeader& header);

// UserError when the file was made for other features.
void require_features(const ModelHeader& header, const std::string& features, const std::string& path);

}  // namespace hone::score
