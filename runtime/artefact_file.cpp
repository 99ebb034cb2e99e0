#include "runtime/artefact_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/checksum.h"
#include "runtime/error.h"

namespace hone::runtime {
namespace {

constexpr const char* kMakeAgain = "copy the file again, or make it anew with `hone compile`";

hone_status damaged(const char* path, const char* how) {
  return fail(HONE_DAMAGED, kMakeAgain, "%s is damaged: %s", path, how);
}

}  // namespace

ArtefactFile::~ArtefactFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_bytes_);
}

hone_status ArtefactFile::open(const char* path) {
  hone_status status = map(path);
  if (status == HONE_OK) status = check_header(path);
  if (status == HONE_OK) status = check_sections(path);
  return status;
}

hone_status ArtefactFile::map(const char* path) {
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat info = {};
  if (descriptor < 0 || fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    const char* reason = descriptor < 0 ? strerror(errno) : "it is no file";
    if (descriptor >= 0) close(descriptor);
    return fail(HONE_UNREADABLE, "", "cannot open %s: %s", path, reason);
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size < sizeof(FileHeader)) {
    close(descriptor);
    return fail(HONE_DAMAGED, kMakeAgain, "%s is no artefact: it has %zu bytes", path, size);
  }
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int reason = errno;
  close(descriptor);
  if (memory == MAP_FAILED) {
    return fail(HONE_UNREADABLE, "", "cannot map %s: %s", path, strerror(reason));
  }
  data_ = static_cast<const std::byte*>(memory);
  size_bytes_ = size;
  return HONE_OK;
}

hone_status ArtefactFile::check_header(const char* path) const {
  const FileHeader& h = header();
  if (memcmp(h.magic, kMagic, sizeof kMagic) != 0) {
    return fail(HONE_DAMAGED, "artefacts are what `hone tune` and `hone compile` write",
                "%s is no artefact", path);
  }
  if (h.version != kFormatVersion) {
    return fail(HONE_OTHER_VERSION, "make it anew with the `hone compile` of this version",
                "%s has format %u, and this library reads format %u", path, h.version, kFormatVersion);
  }
  if (h.file_bytes != size_bytes_) return damaged(path, "it is cut short or has something behind it");
  const std::size_t least = sizeof h + std::size_t{h.section_count} * sizeof(SectionEntry);
  if (h.header_bytes > size_bytes_ || h.header_bytes < least) return damaged(path, "in its header");
  constexpr std::size_t kFrom = offsetof(FileHeader, version);
  if (checksum({data_ + kFrom, h.header_bytes - kFrom}) != h.checksum) {
    return damaged(path, "in its header");
  }
  return HONE_OK;
}

hone_status ArtefactFile::check_sections(const char* path) const {
  std::uint64_t end = header().header_bytes;
  for (const SectionEntry& section : sections()) {
    const bool is_last = &section == &sections().back();
    const std::uint64_t next = is_last ? size_bytes_ : (&section)[1].offset;
    if (section.offset != end || next > size_bytes_ || next < end || section.size_bytes > next - end ||
        section.offset % kSectionAlignment != 0) {
      return damaged(path, "its sections do not follow each other");
    }
    if (checksum({data_ + section.offset, next - end}) != section.checksum) {
      constexpr const char* kNames[] = {"its manifest", "its program", "its code", "its weights",
                                        "its records"};
      const auto kind = static_cast<std::size_t>(section.kind);
      return damaged(path, kind >= 1 && kind <= 5 ? kNames[kind - 1] : "an unknown section");
    }
    end = next;
  }
  return end == size_bytes_ ? HONE_OK : damaged(path, "it has something behind its sections");
}

std::span<const SectionEntry> ArtefactFile::sections() const {
  return {reinterpret_cast<const SectionEntry*>(data_ + sizeof(FileHeader)), header().section_count};
}

std::span<const std::byte> ArtefactFile::bytes(const SectionEntry& section) const {
  return {data_ + section.offset, section.size_bytes};
}

std::span<const std::byte> ArtefactFile::find(SectionKind kind, std::uint32_t variant) const {
  for (const SectionEntry& section : sections()) {
    if (section.kind == kind && section.variant == variant) return bytes(section);
  }
  return {};
}

}  // namespace hone::runtime
