// A model as C that needs nothing of ours: libc and threads are enough.
#pragma once
#include <span>
#include <string>

#include "artefact/build.h"
#include "ir/program.h"

namespace hone::artefact {

struct CFiles {
  std::string header;  // NAME.h: names, shapes, create, run
  std::string source;  // NAME.c, which takes in the weights, and the code if it is machine code
};

// The first variant of a file. Its kernels become C functions of their loops; without any they are the
// machine code of the file's images. NAME.c takes in the other files by name when it is assembled.
// UserError for what C has no type for.
CFiles emit_c(const File& file, std::span<const ir::Program> loops, const std::string& name);

// "my-net.v2" -> "my_net_v2": what C calls a model of that file.
std::string c_name(const std::string& stem);

}  // namespace hone::artefact
