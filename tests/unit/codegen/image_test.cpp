#include "codegen/image.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "runtime/image.h"

namespace hone::codegen {
namespace {

namespace fs = std::filesystem;

// The object that the system's C compiler makes of the text.
std::vector<std::byte> compile(const std::string& text) {
  const fs::path stem = fs::temp_directory_path() / ("hone_image_test_" + std::to_string(getpid()));
  std::ofstream(stem.string() + ".c") << text;
  const std::string command =
      "cc -O1 -fPIC -ffreestanding -c -o " + stem.string() + ".o " + stem.string() + ".c";
  EXPECT_EQ(std::system(command.c_str()), 0) << text;
  std::ifstream in(stem.string() + ".o", std::ios::binary);
  const std::string object{std::istreambuf_iterator<char>(in), {}};
  fs::remove(stem.string() + ".c"), fs::remove(stem.string() + ".o");
  const auto bytes = std::as_bytes(std::span(object));
  return {bytes.begin(), bytes.end()};
}

std::string failure_of(const std::string& text) {
  try {
    link_image(compile(text));
  } catch (const InternalError& error) {
    return error.what();
  }
  return "linked";
}

TEST(Image, CodeFindsItsConstantsAndFunctionsWhereverItLies) {
  const Image linked =
      link_image(compile("static const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};\n"
                         "__attribute__((noinline)) static int pick(int i) { return table[i & 7]; }\n"
                         "struct hone_call { void* const* buffers; };\n"
                         "void hone_entry(const struct hone_call* call) {\n"
                         "  int* out = call->buffers[0];\n"
                         "  for (int i = 0; i < 8; ++i) out[i] = pick(i);\n"
                         "}\n"));
  for (int mapping = 0; mapping < 2; ++mapping) {
    const runtime::Image image(linked.bytes);
    int out[8] = {};
    void* buffers[] = {out};
    const hone_call call{buffers, nullptr, nullptr};
    image.entry(linked.entry)(&call);
    EXPECT_EQ(std::vector(out, out + 8), (std::vector{3, 1, 4, 1, 5, 9, 2, 6}));
  }
}

TEST(Image, RefusesWhatCannotRunByItself) {
  EXPECT_NE(failure_of("void other(void); void hone_entry(void) { other(); }").find("outside symbol"),
            std::string::npos);
  EXPECT_NE(failure_of("int counter = 1; void hone_entry(void) { ++counter; }").find("writable"),
            std::string::npos);
  EXPECT_NE(failure_of("void something_else(void) {}").find("has no hone_entry"), std::string::npos);
  EXPECT_EQ(failure_of("void hone_entry(void) {}"), "linked");
}

TEST(Image, RefusesWhatIsNoObject) {
  const std::vector<std::byte> nonsense(100, std::byte{7});
  EXPECT_THROW(link_image(nonsense), InternalError);
}

}  // namespace
}  // namespace hone::codegen
