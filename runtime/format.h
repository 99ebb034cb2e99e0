// The bytes of a .hone file: little-endian structs that are used where they lie in the mapped file.
// docs/formats/artefact.md tells what they mean.
#pragma once
#include <cstddef>
#include <cstdint>

namespace hone::runtime {

inline constexpr char kMagic[8] = {'\x7f', 'H', 'O', 'N', 'E', '\r', '\n', '\x1a'};
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::uint64_t kSectionAlignment = 65536;  // the largest page of any machine we run on
inline constexpr std::uint64_t kImageAlignment = 4096;     // what code may assume of its own address
inline constexpr std::uint64_t kBufferAlignment = 64;      // of weights and of what lies in the arena

// The file begins with this, followed by its sections' entries and zeros up to `header_bytes`.
struct FileHeader {
  char magic[8];
  std::uint64_t checksum;  // of everything behind this field that is not in a section
  std::uint32_t version;
  std::uint32_t section_count;
  std::uint64_t header_bytes;
  std::uint64_t file_bytes;
};

enum class SectionKind : std::uint32_t {
  Manifest = 1,  // JSON, for people and tools
  Program = 2,   // one a variant
  Images = 3,    // one a variant
  Weights = 4,   // of all variants
  Records = 5,   // lines
};

// Sections follow each other without a gap: what lies between the `size_bytes` of one and the next is
// zero and part of its checksum, so every byte of the file is in exactly one.
struct SectionEntry {
  SectionKind kind;
  std::uint32_t variant;
  std::uint64_t offset;
  std::uint64_t size_bytes;
  std::uint64_t checksum;
};

// All of the below lies in a program section; offsets count from its beginning.

struct Text {
  std::uint32_t offset, size;  // a zero follows it
};
struct Table {
  std::uint32_t offset, count;  // offset is a multiple of 8
};

enum class Architecture : std::uint32_t { X86_64 = 1, Aarch64 = 2 };

struct ProgramHeader {
  Architecture architecture;
  std::uint32_t tuned_threads;
  Text target;    // as it prints
  Text features;  // that the processor must have, in LLVM's words, separated by spaces
  std::uint64_t arena_bytes;
  Table inputs, outputs;  // Port
  Table kernels;          // KernelEntry
  Table operands;         // Operand
  Table steps;            // StepEntry
};

struct Port {
  Text name;
  std::uint32_t type;      // a hone_type
  Table dims;              // std::int64_t
  std::uint32_t reserved;  // zero
};

struct KernelEntry {
  Text name;
  std::uint64_t image_offset, image_bytes;  // in the variant's images
  std::uint64_t entry;                      // in the image
  std::uint64_t scratch_bytes, thread_scratch_bytes;
};

// Memory that operands lie in: the arena, the weights, then inputs and outputs by number.
enum class Region : std::uint32_t { Arena = 0, Weights = 1, FirstPort = 2 };

// In iteration i of the loop around its step an operand lies at offset + i * stride.
struct Operand {
  std::uint32_t region;
  std::uint32_t is_written;
  std::int64_t offset_bytes, stride_bytes;
  std::uint64_t size_bytes;
};

enum class StepKind : std::uint32_t { Kernel = 1, Copy = 2, TopK = 3, Loop = 4 };

struct CopyRows {  // operands: from, to
  std::int64_t rows, row_bytes, from_stride_bytes, to_stride_bytes;
};
// Operands: elements [outer, extent, inner], then values and their places (int64) [outer, k, inner].
struct TopKOf {
  std::int64_t outer, extent, inner, k;
  std::uint32_t type, largest;
};
struct LoopOver {  // the `steps` that follow, `trips` times; loops do not nest
  std::int64_t trips, steps;
};

struct StepEntry {
  StepKind kind;
  std::uint32_t kernel;
  Text label;
  std::uint32_t first_operand, operand_count;
  double flop;
  union {
    CopyRows copy;
    TopKOf topk;
    LoopOver loop;
    std::byte reserved[48];
  };
};

static_assert(sizeof(FileHeader) == 40 && sizeof(SectionEntry) == 32 && sizeof(ProgramHeader) == 72 &&
              sizeof(Port) == 24 && sizeof(KernelEntry) == 48 && sizeof(Operand) == 32 &&
              sizeof(StepEntry) == 80);

}  // namespace hone::runtime
