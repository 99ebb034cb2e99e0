// Files as text, compressed or not: whole or piece by piece.
#pragma once
#include <functional>
#include <string>

namespace hone {

// Writes up to `size` bytes to `to` and returns how many; 0 at the end.
using ByteSource = std::function<std::size_t(char* to, std::size_t size)>;

// The bytes of a file, unpacked when it is gzip. Throws UserError naming the file when it cannot be
// opened; the source throws one when it comes to damage.
ByteSource open_maybe_gzip(const std::string& path);

// All of the file. Throws UserError when it cannot be opened, is damaged, or unpacks to more than
// `limit_bytes`.
std::string read_maybe_gzip(const std::string& path, std::size_t limit_bytes = std::size_t{4} << 30);

}  // namespace hone
