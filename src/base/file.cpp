#include "base/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/error.h"

namespace hone {

void write_whole(const std::string& path, std::string_view text) {
  write_whole(path, [text](std::ostream& file) { file << text; });
}

void write_whole(const std::string& path, const std::function<void(std::ostream&)>& writer) {
  const std::string temporary = path + ".part";
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  writer(file);
  file.close();
  const bool renamed = file.good() && std::rename(temporary.c_str(), path.c_str()) == 0;
  if (renamed) return;
  const std::string reason = std::strerror(errno);
  std::remove(temporary.c_str());
  throw UserError("cannot write " + path + ": " + reason,
                  "choose a folder that you may write to, on a disk with space left");
}

}  // namespace hone
