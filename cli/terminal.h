// What the terminal can show: colour where it is wanted, plain text everywhere else.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace hone::cli {

enum class Colour : std::uint8_t { Red = 31, Green = 32, Yellow = 33 };

// Plain when `to` is no terminal or NO_COLOR is set; colour never carries the meaning alone.
std::string paint(std::string_view text, Colour colour, std::FILE* to);

// In characters; of what is no terminal what is said here.
std::size_t terminal_width(std::FILE* to, std::size_t otherwise = 80);

}  // namespace hone::cli
