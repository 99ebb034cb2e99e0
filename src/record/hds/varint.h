// Whole numbers in as few bytes as they need: seven bits a byte, low ones first, the top bit says that
// more follow.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hone::record::hds {

inline void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}
// Small ones of either sign stay small.
inline void append_signed(std::string& out, std::int64_t value) {
  append_varint(out, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}
inline void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

// Reads them front to back; UserError when the bytes end early or a number is too large for its place.
class CodeReader {
 public:
  explicit CodeReader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) [[unlikely]]
      fail();
    const auto first = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7F) << shift;
      if (next < 0x80) return value;
    }
    fail();
  }
  std::uint64_t up_to(std::uint64_t most) {
    const std::uint64_t value = varint();
    if (value > most) [[unlikely]]
      fail();
    return value;
  }
  std::int64_t signed_number() {
    const std::uint64_t bits = varint();
    return static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1);
  }
  std::string_view text() {
    const std::string_view taken = bytes_.substr(0, up_to(bytes_.size()));
    bytes_.remove_prefix(taken.size());
    return taken;
  }

  [[noreturn]] static void fail() {
    throw UserError("a program of the data set is damaged",
                    "`hone dataset check SET` says what else is wrong; import the logs again");
  }

 private:
  std::string_view bytes_;
};

}  // namespace hone::record::hds
