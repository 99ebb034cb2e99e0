#include "ir/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace hone::ir {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c) || c == '.' || c == '@'; }

std::size_t name_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), continues_name) -
                                  text.begin());
}

// Digits, point, exponent, suffix; what is no number is found out when its value is asked for.
std::size_t number_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size()) {
    const bool is_sign = text[n] == '+' || text[n] == '-';
    const bool after_exponent = n > 0 && (text[n - 1] == 'e' || text[n - 1] == 'E');
    if (is_sign ? !after_exponent : !continues_name(text[n]) || text[n] == '@') break;
    ++n;
  }
  return n;
}

std::size_t symbol_length(std::string_view text) {
  constexpr std::array<std::string_view, 8> kLong = {"&&", "||", "==", "!=", "<=", ">=", "+=", "*="};
  const bool is_long =
      std::ranges::any_of(kLong, [&](std::string_view s) { return text.starts_with(s); });
  return is_long ? 2 : 1;
}

}  // namespace

Lexer::Lexer(std::string_view text, int first_line) : rest_(text), line_(first_line) { read(); }

void Lexer::skip_space() {
  while (!rest_.empty()) {
    const char c = rest_.front();
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++column_;
    } else {
      return;
    }
    rest_.remove_prefix(1);
  }
}

void Lexer::read() {
  skip_space();
  token_ = {Token::Kind::End, rest_.substr(0, 0), line_, column_};
  if (rest_.empty()) return;
  std::size_t length = 0;
  if (begins_name(rest_.front())) {
    token_.kind = Token::Kind::Name;
    length = name_length(rest_);
  } else if (is_digit(rest_.front())) {
    token_.kind = Token::Kind::Number;
    length = number_length(rest_);
  } else {
    token_.kind = Token::Kind::Symbol;
    length = symbol_length(rest_);
  }
  token_.text = rest_.substr(0, length);
  rest_.remove_prefix(length);
  column_ += static_cast<int>(length);
}

Token Lexer::next() {
  const Token current = token_;
  read();
  return current;
}

bool Lexer::accept(std::string_view t) {
  if (token_.kind == Token::Kind::Number || token_.kind == Token::Kind::End || token_.text != t)
    return false;
  read();
  return true;
}

void Lexer::expect(std::string_view t) {
  if (!accept(t)) fail(fmt::format("expected `{}`", t));
}

std::string_view Lexer::expect_name(std::string_view what) {
  if (token_.kind != Token::Kind::Name) fail(fmt::format("expected {}", what));
  return next().text;
}

void Lexer::fail(const Token& where, const std::string& what) {
  const std::string found = where.kind == Token::Kind::End
                                ? "the end of the text"
                                : fmt::format("`{}`", where.text.substr(0, 40));
  throw UserError(
      fmt::format("line {}, column {}: {}, found {}", where.line, where.column, what, found));
}

bool is_name(std::string_view text) {
  return !text.empty() && begins_name(text.front()) && name_length(text) == text.size();
}

}  // namespace hone::ir
