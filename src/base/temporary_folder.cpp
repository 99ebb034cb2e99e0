#include "base/temporary_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace hone {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "hone-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw UserError(fmt::format("cannot make a folder {}: {}", pattern, std::strerror(errno)),
                    "TMPDIR names the folder for temporary files");
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace hone
