// A candidate in a data set: its steps or knobs in few bytes. docs/formats/dataset.md has the coding.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/knobs.h"
#include "schedule/step.h"

namespace hone::record::hds {

// What differs in meaning differs in bytes, and the other way round: equal programs have equal codes.
void append_code(std::string& out, const schedule::Steps& steps);
// UserError when the bytes are damaged.
schedule::Steps steps_from_code(std::string_view code);

struct KnobProgram {
  std::int64_t index = 0;  // in the template's space
  std::string code_hash;
  schedule::Knobs knobs;
  friend bool operator==(const KnobProgram&, const KnobProgram&) = default;
};
void append_code(std::string& out, const KnobProgram& program);
KnobProgram knobs_from_code(std::string_view code);

}  // namespace hone::record::hds
