// A data set on disk: a header, sections that are flat little-endian arrays, and the table that names
// them. docs/formats/dataset.md has the sections. This file, `file` and `writer` need a compiler and
// POSIX only, because programs that train are built from them on machines that have nothing else.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hone::record::hds {

static_assert(std::endian::native == std::endian::little, "sections are mapped as they lie on disk");

constexpr char kMagic[8] = {'h', 'o', 'n', 'e', '.', 'h', 'd', 's'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kAlignment = 64;  // of every section
constexpr std::uint32_t kMaxSections = 4096;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t n_sections;
  std::uint64_t file_bytes;
  std::uint64_t table_offset;    // behind the sections, so that they can be written as they come
  std::uint64_t table_checksum;  // stands for all of the content: the table holds the others
  std::uint64_t reserved[3];     // zero
};
static_assert(sizeof(Header) == 64);

struct Section {
  char name[48];  // ends with 0
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t checksum;  // of the section with the zeros that fill it up to kAlignment
};
static_assert(sizeof(Section) == 72);

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Takes whole words at a time: hashing must keep up with a disk.
constexpr std::uint64_t kNoWords = 0xcbf29ce484222325ULL;
constexpr std::uint64_t checksum(std::span<const std::uint64_t> words, std::uint64_t sum = kNoWords) {
  for (const std::uint64_t word : words) {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15ULL;
    sum ^= sum >> 32;
  }
  return sum;
}

// Of bytes of any number: words with zeros behind the last, then how many bytes there were.
inline std::uint64_t hash_of(std::string_view bytes, std::uint64_t sum = kNoWords) {
  const std::uint64_t size = bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), std::min(sizeof(word), bytes.size()));
    bytes.remove_prefix(std::min(sizeof(word), bytes.size()));
    sum = checksum({&word, 1}, sum);
  }
  return checksum({&size, 1}, sum);
}

}  // namespace hone::record::hds
