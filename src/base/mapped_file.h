// A file as bytes in memory that are read from the disk only where they are looked at.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace hone {

struct MappedFile {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  // the bytes live as long as this
};

// UserError when it cannot be opened or is no regular file.
MappedFile map_file(const std::filesystem::path& path);

}  // namespace hone
