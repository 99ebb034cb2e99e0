#include "record/hds/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace hone::record::hds {
namespace {

struct Mapping {
  std::shared_ptr<const std::byte> bytes;
  std::size_t size;
};

Mapping map(const std::string& path) {
  const auto refuse = [&](const std::string& reason) {
    throw UserError("cannot read " + path + ": " + reason,
                    "give a data set (.hds), as `hone dataset import` writes them");
  };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not block
  if (file < 0) refuse(std::strerror(errno));
  const std::shared_ptr<const void> close(nullptr, [file](const void*) { ::close(file); });
  struct stat status = {};
  if (::fstat(file, &status) != 0) refuse(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse("it is no regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < sizeof(Header)) refuse("it is too short for a data set");
  void* begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (begin == MAP_FAILED) refuse(std::strerror(errno));
  const auto unmap = [size](const std::byte* mapped) {
    ::munmap(const_cast<std::byte*>(mapped), size);
  };
  return {{static_cast<const std::byte*>(begin), unmap}, size};
}

template <class T>
std::span<const std::uint64_t> words(const T* from, std::size_t bytes) {
  return {reinterpret_cast<const std::uint64_t*>(from), bytes / sizeof(std::uint64_t)};
}

bool is_inside(std::uint64_t offset, std::uint64_t bytes, std::uint64_t end) {
  return offset % kAlignment == 0 && offset >= sizeof(Header) && offset <= end && bytes <= end - offset;
}

bool is_name(const char (&name)[48]) {
  return name[0] != 0 && std::memchr(name, 0, sizeof(name)) != nullptr;
}

}  // namespace

std::string_view Strings::operator[](std::size_t i) const {
  const std::uint64_t begin = offsets_[i], end = offsets_[i + 1];
  if (begin > end || end > bytes_.size()) [[unlikely]]
    throw UserError("the texts of the data set are damaged: text " + std::to_string(i) +
                        " does not lie inside its section",
                    "`hone dataset check SET` says what else is wrong; import the logs again");
  return bytes_.substr(begin, end - begin);
}

File File::open(const std::string& path) {
  auto [bytes, size] = map(path);
  File file;
  file.path_ = path;
  file.bytes_ = std::move(bytes);
  file.read_table(size);
  return file;
}

void File::read_table(std::size_t file_bytes) {
  const auto& header = *reinterpret_cast<const Header*>(bytes_.get());
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0)
    throw UserError(path_ + " is no data set",
                    "logs become one with `hone dataset import LOG... -o SET.hds`");
  if (header.version != kVersion)
    throw UserError(path_ + " is a data set of version " + std::to_string(header.version) +
                        "; this program reads version " + std::to_string(kVersion),
                    "import the logs again, or read it with the hone that wrote it");
  if (header.file_bytes != file_bytes)
    fail_damaged("it has " + std::to_string(file_bytes) + " bytes of " +
                 std::to_string(header.file_bytes));
  if (header.n_sections > kMaxSections ||
      !is_inside(header.table_offset, header.n_sections * sizeof(Section), file_bytes))
    fail_damaged("its table of sections does not lie inside");
  const auto* table = reinterpret_cast<const Section*>(bytes_.get() + header.table_offset);
  sections_ = {table, header.n_sections};
  content_hash_ = checksum(words(table, sections_.size_bytes()));
  if (content_hash_ != header.table_checksum)
    fail_damaged("its table of sections has another checksum");
  for (const Section& each : sections_) {
    if (!is_name(each.name) || !is_inside(each.offset, aligned(each.bytes), header.table_offset))
      fail_damaged("a section does not lie inside");
  }
}

void File::fail_damaged(const std::string& what) const {
  throw UserError(path_ + " is damaged: " + what, "copy it again, or import the logs again");
}

const Section* File::find(std::string_view name) const {
  const auto at = std::find_if(sections_.begin(), sections_.end(),
                               [&](const Section& each) { return name == each.name; });
  return at == sections_.end() ? nullptr : &*at;
}

std::span<const std::byte> File::section(std::string_view name, std::size_t element_bytes) const {
  const Section* found = find(name);
  if (found == nullptr)
    throw UserError(path_ + " has no section `" + std::string(name) + "`",
                    "`hone dataset check SET` lists its sections; features are added with "
                    "`hone dataset features SET --add NAME -o NEW`");
  if (found->bytes % element_bytes != 0)
    fail_damaged("section `" + std::string(name) + "` does not hold whole elements");
  return {bytes_.get() + found->offset, found->bytes};
}

std::string_view File::text(std::string_view name) const {
  const auto bytes = array<char>(name);
  return {bytes.data(), bytes.size()};
}

Strings File::strings(std::string_view name) const {
  const std::string prefix(name);
  return {array<std::uint64_t>(prefix + ".offsets"), text(prefix + ".bytes")};
}

void File::verify(const Section& section) const {
  if (checksum(words(bytes_.get() + section.offset, aligned(section.bytes))) != section.checksum)
    fail_damaged(std::string("section `") + section.name + "` has another checksum");
}

}  // namespace hone::record::hds
