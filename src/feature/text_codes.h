// Two more ways to write a program as numbers, which TLP's authors weighed and left: as characters of
// text, and as one token a step.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/step.h"

namespace hone::feature {

inline constexpr int kTextVersion = 1;

// The program as a record writes it, without spaces, a number a character. 0 is for all that are not
// listed here; others count from 1.
inline constexpr std::string_view kCharacters =
    "0123456789[],\"_$-.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
std::vector<float> character_codes(const schedule::Steps& steps);

// Every step is a word of a language, and its number a token. Which steps there are is learnt from
// programs; all others share kUnknown.
class StepTokens {
 public:
  static constexpr int kPadding = 0, kUnknown = 1, kFirst = 2;

  void learn(const schedule::Steps& steps);
  std::vector<float> codes(const schedule::Steps& steps) const;
  std::size_t size() const { return numbers_.size() + kFirst; }

  std::string print() const;  // a step a line, in the order of their numbers
  static StepTokens parse(std::string_view text);

 private:
  std::map<std::string, int, std::less<>> numbers_;
};

}  // namespace hone::feature
