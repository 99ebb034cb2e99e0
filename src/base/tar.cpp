#include "base/tar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "base/error.h"

namespace hone {
namespace {

constexpr std::size_t kMaxNameBytes = std::size_t{64} << 10;

using Block = std::array<char, kTarBlockBytes>;

[[noreturn]] void refuse(const std::string& reason) {
  throw UserError(fmt::format("the tar archive is damaged: {}", reason), "copy it again");
}

// All of `size` unless the end comes first.
std::size_t read_fully(const ByteSource& source, char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t count = source(to + done, size - done);
    if (count == 0) break;
    done += count;
  }
  return done;
}

// A field without the zero or space that ends it.
std::string_view field(const Block& block, std::size_t begin, std::size_t size) {
  const std::string_view text(block.data() + begin, size);
  return text.substr(0, std::min(text.find('\0'), text.size()));
}

std::uint64_t octal(const Block& block, std::size_t begin, std::size_t size, const char* what) {
  std::string_view text = field(block, begin, size);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value, 8).ec != std::errc())
    refuse(fmt::format("its {} is no number", what));
  return value;
}

// Sizes past 8 GB are binary, with the top bit of the field set.
std::uint64_t size_of(const Block& block) {
  constexpr std::size_t kBegin = 124, kEnd = 136;
  if ((static_cast<unsigned char>(block[kBegin]) & 0x80) == 0)
    return octal(block, kBegin, kEnd - kBegin, "size");
  std::uint64_t value = 0;
  for (std::size_t i = kEnd - 8; i < kEnd; ++i)
    value = value << 8 | static_cast<unsigned char>(block[i]);
  return value;
}

void check_header(const Block& block) {
  constexpr std::size_t kSum = 148, kSumBytes = 8;
  Block without = block;
  std::fill_n(without.begin() + kSum, kSumBytes, ' ');
  const auto sum = std::accumulate(
      without.begin(), without.end(), std::uint64_t{0},
      [](std::uint64_t total, char c) { return total + static_cast<unsigned char>(c); });
  if (octal(block, kSum, kSumBytes, "checksum") != sum) refuse("a header has another checksum");
}

std::string name_in(const Block& block) {
  const std::string name(field(block, 0, 100)), prefix(field(block, 345, 155));
  return prefix.empty() ? name : prefix + "/" + name;
}

// Of the records `LENGTH path=VALUE\n` that one header may carry for the next; empty when it has none.
std::string pax_path(std::string_view records) {
  while (!records.empty()) {
    std::size_t size = 0;
    std::from_chars(records.data(), records.data() + records.size(), size);
    const std::size_t space = records.find(' ');
    if (size < 3 || size > records.size() || space >= size) refuse("an extended header is cut");
    const std::string_view record = records.substr(space + 1, size - space - 2);
    if (record.starts_with("path=")) return std::string(record.substr(5));
    records.remove_prefix(size);
  }
  return {};
}

// The bytes of one file inside the archive.
class Contents {
 public:
  Contents(const ByteSource& archive, std::uint64_t size) : archive_(archive), left_(size) {
    padding_ = (kTarBlockBytes - size % kTarBlockBytes) % kTarBlockBytes;
  }

  std::size_t read(char* to, std::size_t size) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
    const std::size_t count = read_fully(archive_, to, wanted);
    if (count < wanted) refuse("it ends inside a file");
    left_ -= count;
    return count;
  }
  std::string text() {
    if (left_ > kMaxNameBytes) refuse("a name is too long");
    std::string all(left_, '\0');
    read(all.data(), all.size());
    return all;
  }
  // To the next header.
  void pass() {
    Block unused;
    while (read(unused.data(), unused.size()) > 0) continue;
    if (read_fully(archive_, unused.data(), padding_) < padding_) refuse("it ends inside a file");
  }

 private:
  const ByteSource& archive_;
  std::uint64_t left_;
  std::size_t padding_;
};

}  // namespace

bool is_tar(std::string_view first_block) {
  return first_block.size() == kTarBlockBytes && first_block.substr(257, 5) == "ustar";
}

void read_tar(const ByteSource& archive, const OnTarFile& visit) {
  Block block;
  for (std::string long_name;;) {
    const std::size_t count = read_fully(archive, block.data(), block.size());
    if (count == 0) return;
    if (count < block.size()) refuse("it ends inside a header");
    if (std::ranges::all_of(block, [](char c) { return c == '\0'; })) return;  // the end is two of them
    check_header(block);
    Contents contents(archive, size_of(block));
    const char kind = block[156];
    if (kind == 'L') {  // GNU: the name of the next file
      const std::string name = contents.text();
      long_name = name.substr(0, name.find('\0'));
    } else if (kind == 'x') {
      long_name = pax_path(contents.text());
    } else {
      const std::string name = long_name.empty() ? name_in(block) : long_name;
      long_name.clear();
      if (kind == '0' || kind == '\0')
        visit(name, [&](char* to, std::size_t size) { return contents.read(to, size); });
    }
    contents.pass();
  }
}

}  // namespace hone
