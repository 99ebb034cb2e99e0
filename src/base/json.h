// JSON text whose structure is known: read front to back without a tree, and written piece by piece.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace hone {

// Walks JSON text token by token. White space between tokens is skipped; whatever does not fit throws
// UserError with the column. A general parser would spend most of its time on shapes that never occur
// in the tuning logs read with it.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  // Steps over one of []{},: when it comes next.
  bool take(char symbol) {
    if (at_ == end_ || *at_ != symbol) [[unlikely]] {
      skip_space();
      if (at_ == end_ || *at_ != symbol) return false;
    }
    ++at_;
    if (symbol == ',' || symbol == ':') take_separating_space();
    return true;
  }
  void expect(char symbol) {
    if (!take(symbol)) [[unlikely]]
      fail_expecting(symbol);
  }
  // Whether the next token begins like this.
  bool is_next(char symbol) {
    if (at_ != end_ && is_space(*at_)) skip_space();
    return at_ != end_ && *at_ == symbol;
  }
  // A list of any length: `item` reads one element each time.
  template <class Item>
  void list(Item&& item) {
    expect('[');
    if (take(']')) return;
    do item();
    while (take(','));
    expect(']');
  }

  // Whole numbers only; `what` names the value in the error.
  std::int64_t integer(std::int64_t min, std::int64_t max, const char* what) {
    if (at_ != end_ && !is_digit(*at_)) [[unlikely]]
      skip_space();
    const char* start = at_;
    const bool negative = at_ != end_ && *at_ == '-';
    if (negative) ++at_;
    const char* digits = at_;
    std::int64_t value = 0;
    while (at_ != end_ && is_digit(*at_) && at_ - digits < kMaxDigits)
      value = value * 10 + (*at_++ - '0');
    if (negative) {
      value = -value;
      canonical_ &= value != 0;
    }
    if (!ends_integer(digits) || value < min || value > max) [[unlikely]]
      fail_integer(start, min, max, what);
    return value;
  }
  double number(const char* what);
  std::string string(const char* what);
  // A string without escapes, as a view into the text.
  std::string_view word(const char* what);

  // An object whose fields may come in any order: `field` reads the value of each name it knows and
  // says whether it did; other values are stepped over.
  template <class Field>
  void object(Field&& field) {
    expect('{');
    if (take('}')) return;
    do {
      const std::string name = string("name of a field");
      expect(':');
      if (!field(std::string_view(name))) skip();
    } while (take(','));
    expect('}');
  }
  void skip(int depth = 0);  // a value of whatever kind, nested a little

  void expect_end();
  [[noreturn]] void fail(const std::string& what) const;  // at the current column

  // Whether everything so far is spelled in the one way in which the functions below, with one space
  // after each comma and colon, would write it again.
  bool is_canonical() const { return canonical_; }
  std::size_t bytes_left() const { return end_ - at_; }

 private:
  static constexpr int kMaxDigits = 18;  // always fits 64 bits

  static bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  void take_separating_space() {
    if (at_ != end_ && *at_ == ' ') [[likely]]
      ++at_;
    else
      canonical_ = false;
  }
  void skip_space() {
    for (; at_ != end_ && is_space(*at_); ++at_) canonical_ = false;
  }
  bool ends_integer(const char* digits) const {
    if (at_ == digits || (*digits == '0' && at_ - digits > 1)) return false;
    return at_ == end_ || (!is_digit(*at_) && *at_ != '.' && *at_ != 'e' && *at_ != 'E');
  }
  [[noreturn]] void fail_expecting(char symbol) const;
  [[noreturn]] void fail_expecting(const std::string& what) const;
  [[noreturn]] void fail_integer(const char* start, std::int64_t min, std::int64_t max,
                                 const char* what);
  void unescape(std::string& out);
  unsigned code_unit();

  const char* begin_;
  const char* at_;
  const char* end_;
  bool canonical_ = true;
};

void append_json_integer(std::string& out, std::int64_t value);
void append_json_number(std::string& out, double value);           // six digits, as C++ streams print
void append_json_string(std::string& out, std::string_view text);  // quoted and escaped
// `[a, b, c]`; `append` writes one item.
template <class Items, class Append>
void append_json_list(std::string& out, const Items& items, Append append) {
  out += '[';
  const char* separator = "";
  for (const auto& item : items) {
    out += separator;
    append(out, item);
    separator = ", ";
  }
  out += ']';
}

}  // namespace hone
