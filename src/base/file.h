// Files that are written whole or not at all.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace hone {

// Under a temporary name beside it, then renamed: nobody ever sees half of it. UserError when that
// cannot be done.
void write_whole(const std::string& path, std::string_view text);
void write_whole(const std::string& path, const std::function<void(std::ostream&)>& writer);

}  // namespace hone
