// Code for AArch64: always built; run where an emulator and a cross compiler for its harness are
// installed.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ir/parse.h"
#include "programs.h"
#include "run.h"
#include "type_programs.h"

namespace hone::codegen {
namespace {

namespace fs = std::filesystem;

bool succeeds(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

class Neon : public testing::Test {
 public:
  static void SetUpTestSuite() {
    folder_ = fs::temp_directory_path() / fmt::format("hone_neon_test_{}", getpid());
    fs::create_directories(folder_);
    can_run_ = succeeds("command -v qemu-aarch64") &&
               succeeds(fmt::format("aarch64-linux-gnu-gcc -O1 -ffreestanding -nostdlib -static "
                                    "-I{0} -o {1}/harness "
                                    "{0}/tests/unit/codegen/aarch64_harness.c -lgcc",
                                    HONE_SOURCE_DIR, folder_.string()));
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }

 protected:
  static void run_emulated(const Kernel& kernel, std::span<std::vector<std::byte>*> buffers) {
    const auto write = [](const fs::path& path, const std::vector<std::byte>& bytes) {
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    };
    const auto buffer_file = [](std::size_t i) { return folder_ / fmt::format("buffer{}", i); };
    write(folder_ / "image", kernel.image);
    std::string command =
        fmt::format("cd {} && qemu-aarch64 ./harness image {} {} {}", folder_.string(), kernel.entry,
                    kernel.scratch_bytes, kernel.thread_scratch_bytes);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      write(buffer_file(i), *buffers[i]);
      command += " " + buffer_file(i).string();
    }
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      std::ifstream in(buffer_file(i), std::ios::binary);
      in.read(reinterpret_cast<char*>(buffers[i]->data()),
              static_cast<std::streamsize>(buffers[i]->size()));
      ASSERT_EQ(in.gcount(), static_cast<std::streamsize>(buffers[i]->size()));
    }
  }

  static void check_program(const ir::Program& program, Build build) {
    SCOPED_TRACE(program.name);
    const Kernel kernel = build(program, target::parse("neon"));  // fails on what an image cannot hold
    if (can_run_) expect_as_interpreted(program, kernel, run_emulated);
  }
  static void skip_unless_run() {
    if (!can_run_) GTEST_SKIP() << "built but not run: no qemu-aarch64 or no aarch64-linux-gnu-gcc";
  }

 private:
  static inline fs::path folder_;
  static inline bool can_run_ = false;
};

TEST_F(Neon, ProgramsAnswerAsInterpreted) {
  for (const NamedProgram& named : kPrograms) {
    check_program(ir::parse_program(named.text.substr(1)), build_llvm);
  }
  skip_unless_run();
}

TEST_F(Neon, TypesHaveEveryOperatorAndBecomeEachOther) {
  for (const Scalar scalar : kScalars) {
    const int lanes = 128 / ir::bits(scalar);
    check_program(operators_program(scalar, lanes), build_llvm);
    check_program(casts_program(scalar, std::min(lanes, 8)), build_llvm);
  }
  skip_unless_run();
}

TEST_F(Neon, ProgramsAnswerAsInterpretedFromC) {
  if (!succeeds("command -v aarch64-linux-gnu-gcc")) GTEST_SKIP() << "no aarch64-linux-gnu-gcc";
  for (const NamedProgram& named : kPrograms)
    check_program(ir::parse_program(named.text.substr(1)), build_c);
  skip_unless_run();
}

}  // namespace
}  // namespace hone::codegen
