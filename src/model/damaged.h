// What to do about a file that contradicts itself.
#pragma once

namespace hone::model {

inline constexpr const char* kExportAgain = "the file is damaged: export or write it again";

}  // namespace hone::model
