#include "base/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>

#include "base/error.h"

namespace hone {
namespace {

constexpr std::uint32_t kLocalMark = 0x04034b50;
constexpr std::uint32_t kCentralMark = 0x02014b50;
constexpr std::uint32_t kEndMark = 0x06054b50;
constexpr std::uint32_t kEnd64Mark = 0x06064b50;
constexpr std::uint32_t kEnd64LocatorMark = 0x07064b50;
constexpr std::size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22, kEnd64LocatorBytes = 20;
constexpr std::uint16_t kStored = 0, kDeflated = 8;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint32_t kElsewhere = 0xffffffff;  // the number is in an extra field of 64 bits
constexpr std::uint64_t kMaxRatio = 1032;         // deflate packs no tighter

[[noreturn]] void damaged(const std::string& what) {
  throw UserError(fmt::format("the zip archive is damaged: {}", what), "write or download it again");
}

template <class Number>
Number number_at(std::span<const std::byte> bytes, std::uint64_t place) {
  if (place > bytes.size() || bytes.size() - place < sizeof(Number)) damaged("it is cut short");
  Number number;
  std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

struct Central {  // an entry of the archive's directory
  std::string name;
  std::uint16_t flags = 0, method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t packed_bytes = 0, bytes = 0, local_header = 0;
};

struct Directory {
  std::uint64_t begin = 0, entries = 0;
};

Directory find_directory(std::span<const std::byte> bytes) {
  constexpr std::size_t kMaxComment = 0xffff;
  if (bytes.size() < kEndBytes) damaged("it is cut short");
  for (std::size_t back = kEndBytes; back <= std::min(bytes.size(), kEndBytes + kMaxComment); ++back) {
    const std::size_t end = bytes.size() - back;
    if (number_at<std::uint32_t>(bytes, end) != kEndMark) continue;
    const auto is_64 = end >= kEnd64LocatorBytes &&
                       number_at<std::uint32_t>(bytes, end - kEnd64LocatorBytes) == kEnd64LocatorMark;
    if (!is_64)
      return {number_at<std::uint32_t>(bytes, end + 16), number_at<std::uint16_t>(bytes, end + 10)};
    const auto end64 = number_at<std::uint64_t>(bytes, end - kEnd64LocatorBytes + 8);
    if (number_at<std::uint32_t>(bytes, end64) != kEnd64Mark) damaged("its end is not where it says");
    return {number_at<std::uint64_t>(bytes, end64 + 48), number_at<std::uint64_t>(bytes, end64 + 32)};
  }
  damaged("it has no directory");
}

// Numbers that do not fit into 32 bits stand, in this order, in one of the extra fields.
void read_zip64(std::span<const std::byte> extra, Central& entry) {
  for (std::uint64_t place = 0; place < extra.size();) {
    const auto kind = number_at<std::uint16_t>(extra, place);
    const auto size = number_at<std::uint16_t>(extra, place + 2);
    std::uint64_t next = place + 4;
    for (std::uint64_t* wanted : {&entry.bytes, &entry.packed_bytes, &entry.local_header}) {
      if (kind != kZip64Extra || *wanted != kElsewhere) continue;
      *wanted = number_at<std::uint64_t>(extra, next);
      next += sizeof(std::uint64_t);
    }
    place += 4 + size;
  }
}

std::vector<Central> read_directory(std::span<const std::byte> bytes) {
  const Directory directory = find_directory(bytes);
  std::vector<Central> entries;
  std::uint64_t place = directory.begin;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    if (number_at<std::uint32_t>(bytes, place) != kCentralMark) damaged("its directory is wrong");
    const auto name_bytes = number_at<std::uint16_t>(bytes, place + 28);
    const auto extra_bytes = number_at<std::uint16_t>(bytes, place + 30);
    const auto comment_bytes = number_at<std::uint16_t>(bytes, place + 32);
    Central entry{.name = {},
                  .flags = number_at<std::uint16_t>(bytes, place + 8),
                  .method = number_at<std::uint16_t>(bytes, place + 10),
                  .checksum = number_at<std::uint32_t>(bytes, place + 16),
                  .packed_bytes = number_at<std::uint32_t>(bytes, place + 20),
                  .bytes = number_at<std::uint32_t>(bytes, place + 24),
                  .local_header = number_at<std::uint32_t>(bytes, place + 42)};
    place += kCentralBytes;
    if (bytes.size() - place < std::size_t{name_bytes} + extra_bytes) damaged("it is cut short");
    entry.name.assign(reinterpret_cast<const char*>(bytes.data()) + place, name_bytes);
    read_zip64(bytes.subspan(place + name_bytes, extra_bytes), entry);
    place += std::uint64_t{name_bytes} + extra_bytes + comment_bytes;
    entries.push_back(std::move(entry));
  }
  return entries;
}

SharedBytes inflate_whole(std::span<const std::byte> packed, std::uint64_t size) {
  std::vector<std::byte> bytes(size);
  z_stream stream = {};
  check(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib starts");  // a raw stream, without a header
  std::size_t n_read = 0, n_written = 0;
  int status = Z_OK;
  constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
  while (status == Z_OK) {
    const auto available = static_cast<uInt>(std::min(packed.size() - n_read, kMost));
    const auto space = static_cast<uInt>(std::min(bytes.size() - n_written, kMost));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + n_read));
    stream.avail_in = available;
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + n_written);
    stream.avail_out = space;
    status = inflate(&stream, Z_NO_FLUSH);
    n_read += available - stream.avail_in;
    n_written += space - stream.avail_out;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || n_written != size) damaged("an entry does not unpack");
  return keep(std::move(bytes));
}

std::uint32_t checksum(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

SharedBytes unpack(const SharedBytes& archive, const Central& entry) {
  constexpr std::uint16_t kEncrypted = 1;
  if ((entry.flags & kEncrypted) != 0)
    throw UserError(fmt::format("the entry `{}` is encrypted", entry.name),
                    "store it without a password");
  const std::uint64_t size = archive.bytes.size();
  if (number_at<std::uint32_t>(archive.bytes, entry.local_header) != kLocalMark)
    damaged("an entry is not where the directory says");
  const std::uint64_t begin = entry.local_header + kLocalBytes +
                              number_at<std::uint16_t>(archive.bytes, entry.local_header + 26) +
                              number_at<std::uint16_t>(archive.bytes, entry.local_header + 28);
  if (begin > size || size - begin < entry.packed_bytes) damaged("it is cut short");
  SharedBytes packed = archive.part(begin, entry.packed_bytes);
  if (entry.method == kStored && entry.bytes == entry.packed_bytes) return packed;
  if (entry.method == kDeflated) {
    if (entry.bytes / kMaxRatio > entry.packed_bytes) damaged("an entry states an impossible size");
    return inflate_whole(packed.bytes, entry.bytes);
  }
  throw UserError(fmt::format("the entry `{}` is compressed in an unknown way", entry.name),
                  "entries are stored or deflated");
}

template <class... Numbers>
void put(std::string& to, Numbers... numbers) {
  const auto put_one = [&](auto number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  (put_one(numbers), ...);
}

// What a local header and the directory say alike of a stored entry.
void put_facts(std::string& to, const ZipEntry& entry) {
  constexpr std::uint16_t kVersion = 20, kNoFlags = 0, kMidnight = 0, kFirstOf1980 = 33, kNoExtra = 0;
  const auto size = static_cast<std::uint32_t>(entry.content.bytes.size());
  put(to, kVersion, kNoFlags, kStored, kMidnight, kFirstOf1980, checksum(entry.content.bytes), size,
      size, static_cast<std::uint16_t>(entry.name.size()), kNoExtra);
}

}  // namespace

std::vector<ZipEntry> read_zip(const SharedBytes& archive) {
  std::vector<ZipEntry> entries;
  std::uint64_t packed_bytes = 0;
  for (const Central& entry : read_directory(archive.bytes)) {
    if (entry.packed_bytes >
        archive.bytes.size() - packed_bytes)  // overlapping, they could unpack to anything
      damaged("its entries are larger than itself");
    packed_bytes += entry.packed_bytes;
    SharedBytes content = unpack(archive, entry);
    if (checksum(content.bytes) != entry.checksum)
      damaged(fmt::format("the checksum of `{}` is wrong", entry.name));
    entries.push_back({entry.name, std::move(content)});
  }
  return entries;
}

void write_zip(std::ostream& file, std::span<const ZipEntry> entries) {
  std::string directory;
  std::uint64_t place = 0;
  for (const ZipEntry& entry : entries) {
    std::string header;
    put(header, kLocalMark);
    put_facts(header, entry);
    header += entry.name;
    put(directory, kCentralMark, std::uint16_t{20});
    put_facts(directory, entry);
    put(directory, std::uint16_t{0}, std::uint16_t{0}, std::uint16_t{0}, std::uint32_t{0},
        static_cast<std::uint32_t>(place));
    directory += entry.name;
    const auto bytes = entry.content.bytes;
    place += header.size() + bytes.size();
    if (place + directory.size() > kElsewhere || entry.name.size() > 0xffff)
      throw UserError("a zip archive would have more than 4 GB", "write fewer or smaller entries");
    file << header;
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  const auto n_entries = static_cast<std::uint16_t>(entries.size());
  std::string end;
  put(end, kEndMark, std::uint16_t{0}, std::uint16_t{0}, n_entries, n_entries,
      static_cast<std::uint32_t>(directory.size()), static_cast<std::uint32_t>(place),
      std::uint16_t{0});
  file << directory << end;
}

}  // namespace hone
