// The parts of an emitted C file that are the same for every model, but for its name.
#pragma once
#include <string>

namespace hone::artefact {

std::string c_header_frame(const std::string& name, std::size_t inputs, std::size_t outputs);
std::string c_pool();  // threads that run parallel loops
std::string c_top_k(const std::string& type);
std::string c_model_frame(const std::string& name);  // struct, create and destroy

}  // namespace hone::artefact
