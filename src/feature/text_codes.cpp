#include "feature/text_codes.h"

#include <array>

#include "schedule/step_json.h"

namespace hone::feature {
namespace {

constexpr std::array<std::uint8_t, 256> kCodes = [] {
  std::array<std::uint8_t, 256> codes{};
  for (std::size_t i = 0; i < kCharacters.size(); ++i)
    codes[static_cast<unsigned char>(kCharacters[i])] = static_cast<std::uint8_t>(i + 1);
  return codes;
}();

std::string word_of(const schedule::Step& step) { return schedule::to_json({step}); }

}  // namespace

std::vector<float> character_codes(const schedule::Steps& steps) {
  std::vector<float> codes;
  for (const char character : schedule::to_json(steps)) {
    if (character != ' ') codes.push_back(kCodes[static_cast<unsigned char>(character)]);
  }
  return codes;
}

void StepTokens::learn(const schedule::Steps& steps) {
  for (const schedule::Step& step : steps)
    numbers_.try_emplace(word_of(step), static_cast<int>(numbers_.size()) + kFirst);
}

std::vector<float> StepTokens::codes(const schedule::Steps& steps) const {
  std::vector<float> codes;
  codes.reserve(steps.size());
  for (const schedule::Step& step : steps) {
    const auto found = numbers_.find(word_of(step));
    codes.push_back(static_cast<float>(found == numbers_.end() ? kUnknown : found->second));
  }
  return codes;
}

std::string StepTokens::print() const {
  std::vector<std::string_view> words(numbers_.size());
  for (const auto& [word, number] : numbers_) words[static_cast<std::size_t>(number - kFirst)] = word;
  std::string text;
  for (const std::string_view word : words) text.append(word).append("\n");
  return text;
}

StepTokens StepTokens::parse(std::string_view text) {
  StepTokens tokens;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    tokens.learn(schedule::steps_from_json(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return tokens;
}

}  // namespace hone::feature
