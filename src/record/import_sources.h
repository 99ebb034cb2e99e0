// The logs behind the paths that an import is given: files, folders, archives.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/gzip.h"

namespace hone::record {

struct LogSource {
  std::string name;  // the path; inside an archive ARCHIVE:PATH
  std::string file_name;
  std::string platform;  // the folder below TenSet's measure_records; empty elsewhere
};

using OnLog = std::function<void(const LogSource& source, const ByteSource& bytes)>;
using OnSkipped = std::function<void(const std::string& name, const std::string& reason)>;

// Plain text, gzip, tar and tar.gz, told by their content; folders with all below them, in the order of
// names. Pickles are never opened, and TenSet's programs that were not
// measured are left out of folders. A damaged archive is reported at the place where it ends. UserError
// when a path cannot be read at all.
void visit_logs(const std::vector<std::string>& paths, const OnLog& on_log,
                const OnSkipped& on_skipped);

}  // namespace hone::record
