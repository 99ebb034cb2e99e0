// Files that must be refused, and what the refusal says.
#include <cstring>
#include <fstream>
#include <iterator>

#include "runtime/checksum.h"
#include "tests/unit/artefact/run_small_network.h"

namespace hone::artefact {
namespace {

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

hone_status status_of(const std::string& path) {
  hone_model* model = nullptr;
  const hone_status status = hone_open(path.c_str(), &model);
  hone_close(model);
  return status;
}

std::string with_target(const target::Target& target) {
  std::string path = temporary_file("other.hone");
  Artefact artefact = SmallNetwork().artefact(target::host(), 2);
  artefact.variants[0].target = target;
  write(build(artefact), path);
  return path;
}

// Header, entries and the zeros behind them byte by byte nearly, the rest here and there.
TEST(Damage, AFlippedByteIsFoundWhereverItIs) {
  const std::string path = write_small_network();
  std::string bytes = contents(path);
  int accepted = 0;
  for (std::size_t i = 0; i < bytes.size(); i += i < 70000 ? 7 : 997) {
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(i));
    file.put(bytes[i]);
    file.flush();
    const hone_status status = status_of(path);
    accepted += status == HONE_OK;
    EXPECT_TRUE(status == HONE_DAMAGED || status == HONE_OTHER_VERSION) << "byte " << i;
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
    file.seekp(static_cast<std::streamoff>(i));
    file.put(bytes[i]);
  }
  EXPECT_EQ(accepted, 0);
  EXPECT_EQ(status_of(path), HONE_OK);
}

TEST(Damage, AFileThatIsCutShortOrGoesOnIsRefused) {
  const std::string path = write_small_network();
  const std::string bytes = contents(path);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{39}, std::size_t{40},
                                 std::size_t{5000}, bytes.size() / 2, bytes.size() - 1}) {
    put(path, bytes.substr(0, size));
    EXPECT_EQ(status_of(path), HONE_DAMAGED) << size;
  }
  put(path, bytes + "x");
  EXPECT_EQ(status_of(path), HONE_DAMAGED);
}

TEST(Damage, TheMessageSaysWhatIsWrongAndTheHintWhatToDo) {
  const std::string path = write_small_network();
  std::string bytes = contents(path);
  bytes[bytes.size() - 1] ^= 1;
  put(path, bytes);
  EXPECT_EQ(status_of(path), HONE_DAMAGED);
  EXPECT_EQ(hone_error(), path + " is damaged: its weights");
  EXPECT_NE(std::string(hone_hint()).find("hone compile"), std::string::npos);
}

TEST(Damage, OtherThingsAreNotTakenForArtefacts) {
  const std::string path = temporary_file("text");
  put(path, std::string(100, 'a'));
  EXPECT_EQ(status_of(path), HONE_DAMAGED);
  EXPECT_EQ(hone_error(), path + " is no artefact");
  EXPECT_EQ(status_of(path + ".missing"), HONE_UNREADABLE);
  EXPECT_EQ(status_of(testing::TempDir()), HONE_UNREADABLE);
  EXPECT_EQ(hone_open(nullptr, nullptr), HONE_WRONG_USE);
}

TEST(Damage, ALaterVersionIsNamed) {
  const std::string path = write_small_network();
  std::string bytes = contents(path);
  bytes[offsetof(runtime::FileHeader, version)] = 9;
  put(path, bytes);
  EXPECT_EQ(status_of(path), HONE_OTHER_VERSION);
  EXPECT_EQ(hone_error(), path + " has format 9, and this library reads format 1");
}

// The checksums are right, the contents are not: what a faulty writer could make.
TEST(Damage, AProgramThatLeavesItsMemoryIsRefused) {
  File file = build(SmallNetwork().artefact(target::host(), 2));
  std::vector<std::byte>& program = file.sections[1].bytes;
  const std::vector<std::byte> good = program;
  const std::string path = temporary_file("wrong.hone");
  int refused = 0;
  for (std::size_t i = 0; i + 4 <= program.size(); i += 4) {
    program = good;
    const std::uint32_t wrong = 0x7ffffff7;
    std::memcpy(program.data() + i, &wrong, sizeof wrong);
    write(file, path);
    const hone_status status = status_of(path);
    refused += status == HONE_DAMAGED;
    if (status != HONE_OK) continue;
    // Accepted: a label, a larger tensor, a stride outside of loops. Running it stays in its memory.
    const std::vector<float> x = SmallNetwork::input();
    SmallNetwork::Answer out;
    const hone_in in = {x.data(), x.size() * sizeof(float)};
    const hone_out outs[] = {out_of(out.y), out_of(out.z), out_of(out.best), out_of(out.places)};
    const hone_status run = hone_run(open(path).get(), &in, 1, outs, 4);
    EXPECT_TRUE(run == HONE_OK || run == HONE_WRONG_USE) << "word at " << i;
  }
  EXPECT_GT(refused, 100);
}

TEST(OtherMachine, IsRefusedWithAHint) {
  target::Target target = target::host();
  target.features += ",+not-yet-invented";
  EXPECT_EQ(status_of(with_target(target)), HONE_OTHER_MACHINE);
  EXPECT_NE(std::string(hone_error()).find("this processor lacks not-yet-invented"), std::string::npos)
      << hone_error();
  EXPECT_NE(std::string(hone_hint()).find("--portable"), std::string::npos);
  target = target::parse(target::host().arch == target::Arch::X86_64 ? "neon" : "avx2");
  EXPECT_EQ(status_of(with_target(target)), HONE_OTHER_MACHINE);
  EXPECT_NE(std::string(hone_error()).find("lacks its instructions"), std::string::npos)
      << hone_error();
}

TEST(OtherMachine, MoreThanWhatIsNeededIsFine) {
  if (target::host().arch != target::Arch::X86_64) GTEST_SKIP() << "asks for AVX2";
  Artefact artefact = SmallNetwork().artefact(target::parse("avx2"), 2);
  const std::string path = temporary_file("avx2.hone");
  write(build(artefact), path);
  const std::vector<float> x = SmallNetwork::input();
  expect_near(run(open(path).get(), x), SmallNetwork().answer(x));
}

TEST(OtherMachine, TheFirstVariantThatFitsIsRun) {
  if (target::host().arch != target::Arch::X86_64) GTEST_SKIP() << "asks for AVX2";
  Artefact artefact = SmallNetwork().artefact(target::host(), 2);
  artefact.variants[0].target.features += ",+not-yet-invented";
  artefact.variants.push_back(SmallNetwork().variant(target::parse("avx2"), 1));
  const std::string path = temporary_file("portable.hone");
  write(build(artefact), path);
  const ModelPointer model = open(path);
  EXPECT_EQ(hone_describe(model.get()).target, target::to_string(target::parse("avx2")));
  const std::vector<float> x = SmallNetwork::input();
  expect_near(run(model.get(), x), SmallNetwork().answer(x));
}

TEST(Weights, TheSameBytesAreStoredOnce) {
  Artefact artefact = SmallNetwork().artefact(target::host(), 2);
  const std::size_t once = build(artefact).weights.pieces().size();
  artefact.variants.push_back(artefact.variants[0]);
  EXPECT_EQ(build(artefact).weights.pieces().size(), once);
}

TEST(Checksum, DependsOnEveryBitAndOnTheSizeButNotOnThePieces) {
  std::vector<std::byte> bytes(333);
  const std::uint64_t sum = runtime::checksum(bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = std::byte{0x80};
    EXPECT_NE(runtime::checksum(bytes), sum) << i;
    bytes[i] = std::byte{0};
  }
  EXPECT_NE(runtime::checksum(std::span(bytes).first(332)), sum);
  runtime::Checksum pieces;
  pieces.add(std::span(bytes).first(128));
  pieces.add(std::span(bytes).subspan(128));
  EXPECT_EQ(pieces.value(), sum);
}

}  // namespace
}  // namespace hone::artefact
