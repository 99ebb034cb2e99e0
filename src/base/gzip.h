// Whole files as text, compressed or not.
#pragma once
#include <string>

namespace hone {

// The contents of a file, unpacked when it is gzip. Throws UserError naming the file when it cannot be
// opened, is damaged, or unpacks to more than `limit_bytes`.
std::string read_maybe_gzip(const std::string& path, std::size_t limit_bytes = std::size_t{4} << 30);

}  // namespace hone
