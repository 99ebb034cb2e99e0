// Some lines of a log, parsed and coded for a data set: the unit in which an import runs in parallel.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "record/dataset_part.h"
#include "record/import.h"
#include "record/note.h"

namespace hone::record {

struct LogBlock {
  std::string text;  // whole lines, each with a newline
  std::int64_t first_line = 1;
  bool is_torn = false;  // the last line had no newline
  std::string damage;    // why nothing can be read behind these lines; mostly empty

  std::uint32_t source_id = 0;
  std::string source, file_name, machine;
  bool is_one_machine = false;
};

struct ParsedBlock {
  DatasetPart part;
  std::int64_t lines = 0, comments = 0, valid = 0, corrupt = 0, misaligned = 0;
  std::vector<ImportProblem> problems;
  std::vector<Computation> computations;  // that the log tells
};

ParsedBlock parse_block(const LogBlock& block);

}  // namespace hone::record
