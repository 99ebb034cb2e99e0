// The MD5 digest (RFC 1321): only for the workload keys of others, never for safety.
#pragma once
#include <string>
#include <string_view>

namespace hone {

std::string md5_hex(std::string_view text);  // 32 lower-case hexadecimal digits

}  // namespace hone
