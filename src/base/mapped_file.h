// A file as bytes in memory that are read from the disk only where they are looked at.
#pragma once
#include <filesystem>

#include "base/shared_bytes.h"

namespace hone {

// UserError when it cannot be opened or is no regular file.
SharedBytes map_file(const std::filesystem::path& path);

}  // namespace hone
