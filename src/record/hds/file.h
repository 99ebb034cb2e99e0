// Reads a data set: mapped, so that opening costs the same for ten programs and ten million.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "record/hds/layout.h"

namespace hone::record::hds {

// Texts side by side; number i goes from offset i to offset i + 1.
class Strings {
 public:
  Strings() = default;
  Strings(std::span<const std::uint64_t> offsets, std::string_view bytes)
      : offsets_(offsets), bytes_(bytes) {}

  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::string_view operator[](std::size_t i) const;  // UserError when the offsets are damaged

 private:
  std::span<const std::uint64_t> offsets_;
  std::string_view bytes_;
};

// What it gives out lives as long as the file or a copy of it. Asking for a section that is not there
// or that holds no whole number of elements throws UserError.
class File {
 public:
  // Reads the header and the table, and nothing else. UserError when this is no data set, one of
  // another version, cut short or damaged.
  static File open(const std::string& path);

  const std::string& path() const { return path_; }
  std::span<const Section> sections() const { return sections_; }
  // The same for the same content, whatever the file is called.
  std::uint64_t content_hash() const { return content_hash_; }

  bool has(std::string_view name) const { return find(name) != nullptr; }
  template <class T>
  std::span<const T> array(std::string_view name) const {
    const std::span<const std::byte> bytes = section(name, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  std::string_view text(std::string_view name) const;
  Strings strings(std::string_view name) const;  // of NAME.offsets and NAME.bytes

  // Reads all of a section; UserError when it is not what was written.
  void verify(const Section& section) const;

 private:
  const Section* find(std::string_view name) const;
  std::span<const std::byte> section(std::string_view name, std::size_t element_bytes) const;
  void read_table(std::size_t file_bytes);
  [[noreturn]] void fail_damaged(const std::string& what) const;

  std::string path_;
  std::shared_ptr<const std::byte> bytes_;
  std::span<const Section> sections_;
  std::uint64_t content_hash_ = 0;
};

}  // namespace hone::record::hds
