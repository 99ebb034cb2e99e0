#include "base/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace hone {
namespace {

class Gzip : public testing::Test {
 protected:
  std::string path(const std::string& name) {
    return (std::filesystem::path(testing::TempDir()) / ("hone_gzip_" + name)).string();
  }
  std::string write_packed(const std::string& name, const std::string& text) {
    gzFile file = gzopen(path(name).c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return path(name);
  }
};

TEST_F(Gzip, ReadsPackedAndPlainFilesAlike) {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += std::to_string(i) + '\n';  // several chunks
  std::ofstream(path("plain")) << text;
  EXPECT_EQ(read_maybe_gzip(path("plain")), text);
  EXPECT_EQ(read_maybe_gzip(write_packed("packed", text)), text);
  EXPECT_EQ(read_maybe_gzip(write_packed("empty", "")), "");
}

TEST_F(Gzip, RefusesWhatItCannotReadWhole) {
  EXPECT_THROW(read_maybe_gzip(path("missing")), UserError);
  const std::string packed = write_packed("cut", std::string(100'000, 'a') + "end");
  EXPECT_THROW(read_maybe_gzip(packed, 1000), UserError);
  std::filesystem::resize_file(packed, std::filesystem::file_size(packed) / 2);
  EXPECT_THROW(read_maybe_gzip(packed), UserError);
}

}  // namespace
}  // namespace hone
