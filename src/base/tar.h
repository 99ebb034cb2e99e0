// Tar archives, file by file as their bytes come.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "base/gzip.h"

namespace hone {

constexpr std::size_t kTarBlockBytes = 512;

// By the first block: the mark that all tar programs of the last decades write.
bool is_tar(std::string_view first_block);

// Calls `visit` with the name and the bytes of each regular file, in the archive's order; what it
// leaves unread is passed over. UserError when the archive is damaged or cut short.
using OnTarFile = std::function<void(const std::string& name, const ByteSource& bytes)>;
void read_tar(const ByteSource& archive, const OnTarFile& visit);

}  // namespace hone
