#include "artefact/write.h"

#include <cstring>
#include <ostream>

#include "base/file.h"
#include "runtime/checksum.h"

namespace hone::artefact {
namespace {

constexpr std::uint64_t padded(std::uint64_t size, std::uint64_t unit) {
  return (size + unit - 1) / unit * unit;
}

// Calls `take` on the bytes of a section, each piece padded to the weights' alignment and the whole to
// that of sections. Returns the section's size without the last padding.
template <class Take>
std::uint64_t for_each_piece(const File& file, const Section& section, Take take) {
  const std::vector<std::byte> zeros(runtime::kSectionAlignment);
  std::uint64_t size = 0;
  const auto put = [&](std::span<const std::byte> piece) {
    const std::uint64_t end = padded(piece.size(), runtime::kBufferAlignment);
    // Pieces of whole blocks, so that a checksum can be taken of them one by one.
    const std::size_t whole = piece.size() / runtime::kBufferAlignment * runtime::kBufferAlignment;
    std::byte last[runtime::kBufferAlignment] = {};
    if (whole < piece.size()) std::memcpy(last, piece.data() + whole, piece.size() - whole);
    take(piece.first(whole));
    take(std::span<const std::byte>(last, end - whole));
    size += end;
  };
  if (section.kind == runtime::SectionKind::Weights) {
    for (const std::span<const std::byte> piece : file.weights.pieces()) put(piece);
  } else {
    put(section.bytes);
  }
  take(std::span(zeros).first(padded(size, runtime::kSectionAlignment) - size));
  return section.kind == runtime::SectionKind::Weights ? size : section.bytes.size();
}

std::vector<runtime::SectionEntry> entries_of(const File& file, std::uint64_t header_bytes) {
  std::vector<runtime::SectionEntry> entries;
  std::uint64_t end = header_bytes;
  for (const Section& section : file.sections) {
    runtime::Checksum sum;
    std::uint64_t stored = 0;
    const std::uint64_t size = for_each_piece(file, section, [&](std::span<const std::byte> bytes) {
      sum.add(bytes);
      stored += bytes.size();
    });
    entries.push_back({section.kind, section.variant, end, size, sum.value()});
    end += stored;
  }
  return entries;
}

// Header and entries, with zeros up to the first section.
std::vector<std::byte> header_of(const std::vector<runtime::SectionEntry>& entries,
                                 std::uint64_t header_bytes) {
  std::vector<std::byte> bytes(header_bytes);
  runtime::FileHeader header{};
  std::memcpy(header.magic, runtime::kMagic, sizeof header.magic);
  header.version = runtime::kFormatVersion;
  header.section_count = static_cast<std::uint32_t>(entries.size());
  header.header_bytes = header_bytes;
  const runtime::SectionEntry& last = entries.back();
  header.file_bytes = last.offset + padded(last.size_bytes, runtime::kSectionAlignment);
  std::memcpy(bytes.data() + sizeof header, entries.data(), entries.size() * sizeof entries[0]);
  std::memcpy(bytes.data(), &header, sizeof header);
  constexpr std::size_t kFrom = offsetof(runtime::FileHeader, version);
  header.checksum = runtime::checksum(std::span(bytes).subspan(kFrom));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace

std::uint64_t write(const File& file, const std::string& path) {
  const std::uint64_t header_bytes =
      padded(sizeof(runtime::FileHeader) + file.sections.size() * sizeof(runtime::SectionEntry),
             runtime::kSectionAlignment);
  const std::vector<std::byte> header = header_of(entries_of(file, header_bytes), header_bytes);
  std::uint64_t size = 0;
  write_whole(path, [&](std::ostream& out) {
    const auto put = [&](std::span<const std::byte> bytes) {
      out.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
      size += bytes.size();
    };
    put(header);
    for (const Section& section : file.sections) for_each_piece(file, section, put);
  });
  return size;
}

}  // namespace hone::artefact
