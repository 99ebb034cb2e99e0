// Zip archives with entries that are stored or deflated.
#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "base/shared_bytes.h"

namespace hone {

struct ZipEntry {
  std::string name;
  SharedBytes content;
};

// In the archive's order; stored entries share its bytes. UserError when it is damaged or uses what
// this does not know (encryption, other compression, several volumes).
std::vector<ZipEntry> read_zip(const SharedBytes& archive);

// Stores the entries as they are. UserError for 4 GB and more.
void write_zip(std::ostream& file, std::span<const ZipEntry> entries);

}  // namespace hone
