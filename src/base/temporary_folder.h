// A folder of its own, gone with its owner.
#pragma once
#include <filesystem>

namespace hone {

class TemporaryFolder {
 public:
  TemporaryFolder();  // UserError when none can be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace hone
