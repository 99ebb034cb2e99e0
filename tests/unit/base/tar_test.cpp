#include "base/tar.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"

namespace hone {
namespace {

// One header in the form of POSIX, written here so that each field can be broken.
std::string header(const std::string& name, std::size_t size, char kind = '0') {
  std::string block(kTarBlockBytes, '\0');
  const auto put = [&](std::size_t at, const std::string& text) {
    block.replace(at, text.size(), text);
  };
  const auto octal = [](std::size_t value, int digits) {
    std::string text(digits, '0');
    for (; value > 0; value /= 8) text[--digits] = static_cast<char>('0' + value % 8);
    return text;
  };
  put(0, name);
  put(124, octal(size, 11));
  put(148, "        ");
  block[156] = kind;
  put(257, "ustar");
  std::size_t sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(148, octal(sum, 6) + '\0' + ' ');
  return block;
}

std::string file(const std::string& name, const std::string& text, char kind = '0') {
  const std::size_t padded = (text.size() + kTarBlockBytes - 1) / kTarBlockBytes * kTarBlockBytes;
  return header(name, text.size(), kind) + text + std::string(padded - text.size(), '\0');
}

// Gives few bytes at a time, as a pipe may.
ByteSource source(std::string text) {
  return [text = std::move(text), at = std::size_t{0}](char* to, std::size_t size) mutable {
    const std::size_t count = text.copy(to, std::min<std::size_t>(size, 100), at);
    at += count;
    return count;
  };
}

std::map<std::string, std::string> files_of(const std::string& archive) {
  std::map<std::string, std::string> files;
  read_tar(source(archive), [&](const std::string& name, const ByteSource& bytes) {
    std::string& text = files[name];
    char piece[64];
    while (const std::size_t count = bytes(piece, sizeof(piece))) text.append(piece, count);
  });
  return files;
}

const std::string kEnd(2 * kTarBlockBytes, '\0');

TEST(Tar, GivesRegularFilesOnly) {
  const auto files = files_of(file("folder", "", '5') + file("folder/a", "one") +
                              file("b", std::string(1000, 'x')) + file("link", "", '2') + kEnd);
  EXPECT_EQ(files,
            (std::map<std::string, std::string>{{"folder/a", "one"}, {"b", std::string(1000, 'x')}}));
}

TEST(Tar, PassesWhatIsNotRead) {
  std::vector<std::string> names;
  read_tar(source(file("a", std::string(2000, 'x')) + file("b", "y") + kEnd),
           [&](const std::string& name, const ByteSource&) { names.push_back(name); });
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b"}));
}

TEST(Tar, LongNamesComeFromTheHeaderBefore) {
  const std::string gnu(150, 'g'), pax(200, 'p');
  const std::string record = " path=" + pax + "\n";
  const auto files =
      files_of(file("././@LongLink", gnu + '\0', 'L') + file("short", "1") +
               file("x", std::to_string(record.size() + 3) + record, 'x') + file("short", "2") + kEnd);
  EXPECT_EQ(files, (std::map<std::string, std::string>{{gnu, "1"}, {pax, "2"}}));
}

TEST(Tar, IsToldByItsFirstBlock) {
  EXPECT_TRUE(is_tar(header("a", 0)));
  EXPECT_FALSE(is_tar(std::string(kTarBlockBytes, '{')));
  EXPECT_FALSE(is_tar("ustar"));
}

TEST(Tar, DamageIsNamed) {
  const std::string archive = file("a", std::string(600, 'x')) + file("b", "y");
  EXPECT_THROW(files_of(archive.substr(0, 100)), UserError);
  EXPECT_THROW(files_of(archive.substr(0, 900)), UserError);
  EXPECT_THROW(files_of(archive.substr(0, 1200)), UserError);  // inside the padding
  std::string other = archive;
  other[3] = 'z';
  EXPECT_THROW(files_of(other), UserError);
  EXPECT_THROW(files_of(file("x", "999 path=a\n", 'x')), UserError);
}

}  // namespace
}  // namespace hone
