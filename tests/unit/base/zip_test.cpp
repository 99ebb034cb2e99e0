#include "base/zip.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/error.h"
#include "tests/hex.h"

namespace hone {
namespace {

// Of Python's zipfile: word.txt, "hone " forty times and deflated; raw.txt, "as it is" and stored.
const std::string kArchive = bytes_of_hex(
    "504b0304140000000800000021004aebf7be0a000000c800000008000000776f72642e747874cbc8cf4b55c818fa0400"
    "504b030414000000000000002100b3244e960800000008000000070000007261772e7478746173206974206973504b01"
    "021403140000000800000021004aebf7be0a000000c8000000080000000000000000000000800100000000776f72642e"
    "747874504b0102140314000000000000002100b3244e9608000000080000000700000000000000000000008001300000"
    "007261772e747874504b050600000000020002006b0000005d0000000000");

std::string text_of(const ZipEntry& entry) {
  return {reinterpret_cast<const char*>(entry.content.bytes.data()), entry.content.bytes.size()};
}

std::vector<std::string> contents(const std::string& archive) {
  std::vector<std::string> texts;
  for (const ZipEntry& entry : read_zip(keep(archive))) texts.push_back(text_of(entry));
  return texts;
}

TEST(Zip, ReadsDeflatedAndStoredEntries) {
  const auto entries = read_zip(keep(kArchive));
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].name, "word.txt");
  EXPECT_EQ(text_of(entries[0]).size(), 200U);
  EXPECT_TRUE(text_of(entries[0]).starts_with("hone hone "));
  EXPECT_EQ(entries[1].name, "raw.txt");
  EXPECT_EQ(text_of(entries[1]), "as it is");
}

TEST(Zip, WhatIsWrittenIsReadAgain) {
  std::ostringstream file;
  const ZipEntry entries[] = {{"one", keep(std::string("first"))}, {"two", keep(std::string())}};
  write_zip(file, entries);
  EXPECT_EQ(contents(file.str()), (std::vector<std::string>{"first", ""}));
}

TEST(Zip, DamageIsNoticed) {
  for (std::size_t size = 0; size < kArchive.size(); ++size)
    EXPECT_THROW(read_zip(keep(kArchive.substr(0, size))), UserError) << size;
  for (std::size_t i = 0; i < kArchive.size(); ++i) {
    std::string other = kArchive;
    other[i] = static_cast<char>(~other[i]);
    try {
      EXPECT_EQ(contents(other), contents(kArchive)) << i;  // names, dates and such may be anything
    } catch (const UserError& error) {
      EXPECT_FALSE(error.hint().empty());
    }
  }
}

TEST(Zip, AnImpossibleSizeAsksForNoMemory) {
  std::string archive = kArchive;
  const std::size_t directory = archive.find("PK\1\2");
  archive.replace(directory + 24, 4, "\xfe\xff\xff\xff");
  EXPECT_THROW(read_zip(keep(archive)), UserError);
}

}  // namespace
}  // namespace hone
