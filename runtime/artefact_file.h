// A .hone file in memory: mapped, its checksums verified, nothing of its meaning looked at yet.
#pragma once
#include <cstddef>
#include <span>
#include <utility>

#include "runtime/format.h"
#include "runtime/hone.h"

namespace hone::runtime {

class ArtefactFile {
 public:
  ArtefactFile() = default;
  ~ArtefactFile();
  ArtefactFile(ArtefactFile&& other) noexcept { swap(other); }
  ArtefactFile& operator=(ArtefactFile&& other) noexcept {
    swap(other);
    return *this;
  }

  // Refuses what is no artefact, of another version, cut short or changed in any byte.
  hone_status open(const char* path);

  std::span<const SectionEntry> sections() const;
  std::span<const std::byte> bytes(const SectionEntry& section) const;
  // The first section of a kind and variant; none has no bytes.
  std::span<const std::byte> find(SectionKind kind, std::uint32_t variant = 0) const;

 private:
  hone_status map(const char* path);
  hone_status check_header(const char* path) const;
  hone_status check_sections(const char* path) const;
  const FileHeader& header() const { return *reinterpret_cast<const FileHeader*>(data_); }
  void swap(ArtefactFile& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
  }

  const std::byte* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

}  // namespace hone::runtime
