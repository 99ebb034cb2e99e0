#include "record/hds/writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"

namespace hone::record::hds {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;  // a multiple of kAlignment

// `check` would bring a library for its message.
void demand(bool ok, const char* what) {
  if (!ok) throw InternalError(std::string("hds::Writer: ") + what);
}

std::uint64_t checksum_of(const std::byte* bytes, std::size_t size, std::uint64_t sum = kNoWords) {
  return checksum({reinterpret_cast<const std::uint64_t*>(bytes), size / sizeof(std::uint64_t)}, sum);
}

}  // namespace

Writer::Writer(const std::string& path)
    : path_(path),
      temporary_(path + ".part"),
      file_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail();
  const Header nothing = {};  // the real one needs to know all sections
  write(reinterpret_cast<const std::byte*>(&nothing), sizeof(nothing));
}

Writer::~Writer() {
  if (file_ < 0) return;
  ::close(file_);
  std::remove(temporary_.c_str());
}

void Writer::fail() const {
  throw UserError("cannot write " + path_ + ": " + std::strerror(errno),
                  "choose a folder that you may write to, on a disk with space left");
}

void Writer::write(const std::byte* bytes, std::size_t size) {
  written_ += size;
  while (size > 0) {
    const ssize_t count = ::write(file_, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail();
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
}

void Writer::begin(std::string_view name) {
  demand(!is_open_, "one section at a time");
  Section section = {};
  demand(!name.empty() && name.size() < sizeof(section.name), "a name has 1 to 47 characters");
  demand(std::none_of(sections_.begin(), sections_.end(),
                      [&](const Section& other) { return name == other.name; }),
         "each name comes once");
  demand(sections_.size() < kMaxSections, "too many sections");
  name.copy(section.name, name.size());
  section.offset = written_;
  section.checksum = kNoWords;
  sections_.push_back(section);
  is_open_ = true;
}

void Writer::append(std::span<const std::byte> bytes) {
  demand(is_open_, "no section is open");
  sections_.back().bytes += bytes.size();
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kChunkBytes - waiting_.size()));
    waiting_.insert(waiting_.end(), piece.begin(), piece.end());
    bytes = bytes.subspan(piece.size());
    if (waiting_.size() == kChunkBytes) flush();
  }
}

void Writer::end() {
  demand(is_open_, "no section is open");
  waiting_.resize(aligned(waiting_.size()));
  flush();
  is_open_ = false;
}

void Writer::flush() {
  Section& section = sections_.back();
  section.checksum = checksum_of(waiting_.data(), waiting_.size(), section.checksum);
  write(waiting_.data(), waiting_.size());
  waiting_.clear();
}

void Writer::strings(std::string_view name, std::span<const std::string> texts) {
  std::vector<std::uint64_t> offsets = {0};
  for (const std::string& text : texts) offsets.push_back(offsets.back() + text.size());
  array(std::string(name) + ".offsets", offsets);
  begin(std::string(name) + ".bytes");
  for (const std::string& text : texts) append(std::as_bytes(std::span(text)));
  end();
}

void Writer::copy(const File& from, const Section& section) {
  array(section.name, from.array<std::byte>(section.name));
}

void Writer::finish() {
  demand(!is_open_, "a section is open");
  Header header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.n_sections = static_cast<std::uint32_t>(sections_.size());
  header.table_offset = written_;
  const auto* table = reinterpret_cast<const std::byte*>(sections_.data());
  const std::size_t table_bytes = sections_.size() * sizeof(Section);
  header.table_checksum = checksum_of(table, table_bytes);
  write(table, table_bytes);
  header.file_bytes = written_;
  if (::pwrite(file_, &header, sizeof(header), 0) != ssize_t{sizeof(header)}) fail();
  if (::fsync(file_) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  ::close(file_);
  file_ = -1;
}

}  // namespace hone::record::hds
