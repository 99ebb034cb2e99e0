#include "record/hds/file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "base/error.h"
#include "record/hds/writer.h"
#include "tests/shared_data.h"

namespace hone::record::hds {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void replace(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string written() {
  const std::string path = temporary_file("set.hds");
  Writer writer(path);
  writer.array("numbers", std::vector<std::uint32_t>{7, 8, 9});
  writer.strings("words", std::vector<std::string>{"one", "", "three"});
  writer.text("note", "made by a test");
  writer.array("nothing", std::vector<double>());
  writer.finish();
  return path;
}

// What opening says of a file.
std::string complaint(const std::string& path) {
  try {
    File::open(path);
  } catch (const UserError& error) {
    EXPECT_FALSE(error.hint().empty());
    return error.what();
  }
  return "";
}

TEST(HdsFile, GivesBackWhatWasWritten) {
  const File file = File::open(written());
  const auto numbers = file.array<std::uint32_t>("numbers");
  EXPECT_EQ(std::vector<std::uint32_t>(numbers.begin(), numbers.end()),
            (std::vector<std::uint32_t>{7, 8, 9}));
  const Strings words = file.strings("words");
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[0], "one");
  EXPECT_EQ(words[1], "");
  EXPECT_EQ(words[2], "three");
  EXPECT_EQ(file.text("note"), "made by a test");
  EXPECT_TRUE(file.array<double>("nothing").empty());
  EXPECT_TRUE(file.has("note"));
  EXPECT_FALSE(file.has("not"));
}

TEST(HdsFile, SectionsAreAlignedAndVerified) {
  const File file = File::open(written());
  EXPECT_EQ(file.sections().size(), 5u);
  for (const Section& section : file.sections()) {
    EXPECT_EQ(section.offset % kAlignment, 0u);
    EXPECT_NO_THROW(file.verify(section));
  }
}

TEST(HdsFile, PiecesMakeTheSameSectionAsAWhole) {
  std::vector<std::uint32_t> many(700'000);  // more than the writer holds back
  std::iota(many.begin(), many.end(), 0u);
  const std::string whole = temporary_file("whole.hds"), pieces = temporary_file("pieces.hds");
  Writer one(whole), other(pieces);
  one.array("many", many);
  one.finish();
  other.begin("many");
  for (std::size_t at = 0; at < many.size(); at += 777) {
    const std::size_t end = std::min(at + 777, many.size());
    other.append(std::as_bytes(std::span(many).subspan(at, end - at)));
  }
  other.end();
  other.finish();
  EXPECT_EQ(contents(whole), contents(pieces));
  EXPECT_EQ(File::open(whole).content_hash(), File::open(pieces).content_hash());
  EXPECT_NO_THROW(File::open(whole).verify(File::open(whole).sections()[0]));
}

TEST(HdsFile, CopiesSections) {
  const File from = File::open(written());
  const std::string path = temporary_file("copy.hds");
  Writer writer(path);
  for (const Section& section : from.sections()) writer.copy(from, section);
  writer.finish();
  EXPECT_EQ(File::open(path).content_hash(), from.content_hash());
}

TEST(HdsFile, NothingIsThereBeforeItIsFinished) {
  const std::string path = temporary_file("set.hds");
  std::filesystem::remove(path);
  {
    Writer writer(path);
    writer.text("note", "lost");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(HdsFile, NamesWhatIsMissing) {
  const File file = File::open(written());
  EXPECT_THROW(file.array<int>("absent"), UserError);
  EXPECT_THROW(file.array<double>("numbers"), UserError);  // 12 bytes
  EXPECT_THROW(Writer("/nonexistent/set.hds"), UserError);
  EXPECT_NE(complaint("/nonexistent.hds"), "");
}

TEST(HdsFile, RefusesFilesCutShort) {
  const std::string path = written(), bytes = contents(path);
  for (const std::size_t size : {std::size_t{0}, std::size_t{63}, std::size_t{64}, bytes.size() - 1}) {
    replace(path, bytes.substr(0, size));
    EXPECT_NE(complaint(path), "") << size;
  }
}

TEST(HdsFile, RefusesOtherFilesAndVersions) {
  const std::string path = written(), bytes = contents(path);
  std::string other = bytes;
  other[0] = 'H';
  replace(path, other);
  EXPECT_NE(complaint(path).find("is no data set"), std::string::npos);
  other = bytes;
  other[8] = 9;
  replace(path, other);
  EXPECT_NE(complaint(path).find("version 9"), std::string::npos);
}

TEST(HdsFile, NoDamageToHeaderOrTableGoesUnseen) {
  const std::string path = written(), bytes = contents(path);
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const auto damage = [&](std::size_t at) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 0x40);
    replace(path, other);
    return complaint(path);
  };
  for (std::size_t at = 0; at < offsetof(Header, reserved); ++at) EXPECT_NE(damage(at), "") << at;
  for (std::size_t at = header.table_offset; at < bytes.size(); ++at) EXPECT_NE(damage(at), "") << at;
}

TEST(HdsFile, VerifyingFindsDamagedSections) {
  const std::string path = written();
  std::string bytes = contents(path);
  bytes[sizeof(Header)] ^= 1;  // the first section
  replace(path, bytes);
  const File file = File::open(path);
  EXPECT_THROW(file.verify(file.sections()[0]), UserError);
  EXPECT_NO_THROW(file.verify(file.sections()[1]));
}

TEST(HdsFile, DamagedOffsetsThrow) {
  const std::string text = "abc";
  const std::vector<std::uint64_t> backwards = {0, 3, 1}, beyond = {0, 4};
  EXPECT_THROW(Strings(backwards, text)[1], UserError);
  EXPECT_THROW(Strings(beyond, text)[0], UserError);
}

}  // namespace
}  // namespace hone::record::hds
