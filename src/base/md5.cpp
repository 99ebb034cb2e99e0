#include "base/md5.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace hone {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Step i adds the first 32 bits after the point of |sin(i + 1)|.
std::array<std::uint32_t, 64> sine_table() {
  std::array<std::uint32_t, 64> table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<std::uint32_t>(std::abs(std::sin(static_cast<double>(i + 1))) * 0x1p32);
  }
  return table;
}

std::uint32_t word_at(std::string_view bytes, std::size_t word) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[word * 4 + i]);
  return value;
}

void digest_block(Words& state, std::string_view block) {
  static const std::array<std::uint32_t, 64> kSine = sine_table();
  constexpr std::array<std::array<int, 4>, 4> kRotation = {
      {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
  auto [a, b, c, d] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t round = i / 16;
    std::uint32_t mixed = 0;
    std::size_t word = 0;
    switch (round) {
      case 0:
        mixed = (b & c) | (~b & d), word = i;
        break;
      case 1:
        mixed = (d & b) | (~d & c), word = (5 * i + 1) % 16;
        break;
      case 2:
        mixed = b ^ c ^ d, word = (3 * i + 5) % 16;
        break;
      default:
        mixed = c ^ (b | ~d), word = 7 * i % 16;
    }
    const std::uint32_t sum = a + mixed + kSine[i] + word_at(block, word);
    a = d, d = c, c = b;
    b += std::rotl(sum, kRotation[round][i % 4]);
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

}  // namespace

std::string md5_hex(std::string_view text) {
  // A one bit, zeros up to 56 bytes of the last block, then the length in bits.
  std::string padded(text);
  padded += '\x80';
  padded.resize((padded.size() + 8 + 63) / 64 * 64 - 8, '\0');
  for (int i = 0; i < 8; ++i) {
    padded += static_cast<char>(static_cast<std::uint64_t>(text.size()) * 8 >> (8 * i) & 0xFF);
  }
  Words state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  for (std::size_t at = 0; at < padded.size(); at += 64) {
    digest_block(state, std::string_view(padded).substr(at, 64));
  }
  std::string hex;
  for (const std::uint32_t word : state) {
    for (int i = 0; i < 4; ++i) hex += fmt::format("{:02x}", word >> (8 * i) & 0xFF);
  }
  return hex;
}

}  // namespace hone
