#include "record/import_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>

#include "base/error.h"
#include "base/tar.h"

namespace hone::record {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);  // what the system gives has no order
  return files;
}

// TenSet's lists of programs for others to measure.
bool is_unmeasured(const fs::path& path) {
  return path.parent_path().filename() == "to_measure_programs";
}

bool is_pickle(const std::string& name) { return name.ends_with(".pkl") || name.ends_with(".pickle"); }

LogSource source_of(const std::string& name, const fs::path& path) {
  LogSource source{name, path.filename().string(), {}};
  const fs::path folder = path.parent_path();
  if (folder.parent_path().filename() == "measure_records")
    source.platform = folder.filename().string();
  return source;
}

// The source with what was read of it already put back in front.
ByteSource with_beginning(std::string beginning, ByteSource rest) {
  return [beginning = std::move(beginning), rest = std::move(rest), at = std::size_t{0}](
             char* to, std::size_t size) mutable {
    if (at == beginning.size()) return rest(to, size);
    const std::size_t count = beginning.copy(to, size, at);
    at += count;
    return count;
  };
}

// What whoever takes the log throws: a full disk is no fault of the log.
struct VisitorFailed {
  std::exception_ptr error;
};

void pass(const OnLog& on_log, const LogSource& source, const ByteSource& bytes) {
  try {
    on_log(source, bytes);
  } catch (...) {
    throw VisitorFailed{std::current_exception()};
  }
}

void visit_file(const std::string& path, const OnLog& on_log, const OnSkipped& on_skipped) {
  if (is_pickle(path)) return on_skipped(path, "a pickle, which only running it could read");
  ByteSource file = open_maybe_gzip(path);
  std::string beginning(kTarBlockBytes, '\0');
  std::size_t size = 0;
  while (const std::size_t count = file(beginning.data() + size, beginning.size() - size)) {
    size += count;
    if (size == beginning.size()) break;
  }
  beginning.resize(size);
  const bool is_archive = is_tar(beginning);
  file = with_beginning(std::move(beginning), std::move(file));
  if (!is_archive) return pass(on_log, source_of(path, path), file);
  read_tar(file, [&](const std::string& name, const ByteSource& bytes) {
    if (is_pickle(name)) return on_skipped(path + ":" + name, "a pickle");
    pass(on_log, source_of(path + ":" + name, name), bytes);
  });
}

}  // namespace

void visit_logs(const std::vector<std::string>& paths, const OnLog& on_log,
                const OnSkipped& on_skipped) {
  for (const std::string& path : paths) {
    const bool is_folder = fs::is_directory(path);
    const std::vector<std::string> files = is_folder ? files_below(path) : std::vector{path};
    if (is_folder && files.empty())
      throw UserError(fmt::format("there is no file in {}", path), "give logs, or a folder of them");
    for (const std::string& file : files) {
      if (is_folder && is_unmeasured(file)) {
        on_skipped(file, "programs that were not measured");
        continue;
      }
      try {
        visit_file(file, on_log, on_skipped);
      } catch (const VisitorFailed& failed) {
        std::rethrow_exception(failed.error);
      } catch (const UserError& error) {
        if (!fs::exists(file)) throw;
        on_skipped(file, error.what());
      }
    }
  }
}

}  // namespace hone::record
