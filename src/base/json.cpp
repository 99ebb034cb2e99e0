#include "base/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

#include "base/error.h"

namespace hone {
namespace {

constexpr std::size_t kShownBytes = 24;   // of text quoted in an error
constexpr std::size_t kStreamDigits = 6;  // the default precision of C++ streams
constexpr std::string_view kWritten = "\"\\\n\r\t", kWrittenEscapes = "\"\\nrt";

void append_utf8(std::string& out, unsigned code_point) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  const auto put_low_bits = [&](int shift) { put(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put_low_bits(6);
  } else {
    put(0xF0 | code_point >> 18);
    put_low_bits(12);
    put_low_bits(6);
  }
  put_low_bits(0);
}

// Whether a stream prints the number that `text` (digits, no sign) stands for as just this text: at
// most six significant digits, no zeros at the end, an exponent of two digits only below 1e-4 and from
// 1e6 on. Such short texts survive the way through a double; exponents of three digits may not.
bool is_stream_spelling(std::string_view text) {
  std::string_view exponent;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    if (text[e] == 'E') return false;
    exponent = text.substr(e + 1);
    text = text.substr(0, e);
  }
  const auto point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (point != text.size() && (fraction.empty() || fraction.back() == '0')) return false;
  if (exponent.data() != nullptr) {
    const int least = exponent.substr(0, 1) == "+" ? 6 : 5;
    return whole.size() == 1 && whole != "0" && fraction.size() < kStreamDigits &&
           exponent.size() == 3 && (exponent[0] == '+' || exponent[0] == '-') &&
           (exponent[1] - '0') * 10 + (exponent[2] - '0') >= least;
  }
  if (whole != "0") return whole[0] != '0' && whole.size() + fraction.size() <= kStreamDigits;
  const auto zeros = std::min(fraction.find_first_not_of('0'), fraction.size());
  return zeros < 4 && fraction.size() - zeros <= kStreamDigits;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

std::string named(const char* problem, const char* what) {
  return std::string(problem) + " (" + what + ")";
}

}  // namespace

void JsonCursor::fail(const std::string& what) const {
  throw UserError("column " + std::to_string(at_ - begin_ + 1) + ": " + what);
}

void JsonCursor::fail_expecting(char symbol) const { fail_expecting(std::string("'") + symbol + "'"); }

void JsonCursor::fail_expecting(const std::string& what) const {
  if (at_ == end_) fail("the text ends where " + what + " is expected");
  const std::string_view rest(at_, std::min<std::size_t>(end_ - at_, kShownBytes));
  fail("expected " + what + ", found `" + std::string(rest) + "`");
}

void JsonCursor::fail_integer(const char* start, std::int64_t min, std::int64_t max, const char* what) {
  const char* stop = start;
  while (stop != end_ && (is_digit(*stop) || std::strchr("+-.eE", *stop) != nullptr) && *stop != '\0')
    ++stop;
  at_ = start;
  if (stop == start) fail_expecting(named("an integer", what));
  const std::string text(start, std::min<std::size_t>(stop - start, kShownBytes));
  const bool whole = std::all_of(start + (*start == '-'), stop, is_digit);
  if (!whole) fail(std::string(what) + " is `" + text + "`, which is not an integer");
  fail(std::string(what) + " is " + text + ", which is not between " + std::to_string(min) + " and " +
       std::to_string(max));
}

double JsonCursor::number(const char* what) {
  skip_space();
  const char* start = at_;
  const char* digits = start + (start != end_ && *start == '-');
  double value = 0;
  if (digits == end_ || !is_digit(*digits)) fail_expecting(named("a number", what));
  const auto [stop, error] = std::from_chars(start, end_, value);
  if (error != std::errc() || !std::isfinite(value))
    fail(std::string(what) + " is out of the range of a double");
  at_ = stop;
  canonical_ &= is_stream_spelling({digits, stop});
  return value;
}

std::string_view JsonCursor::word(const char* what) {
  if (!take('"')) fail_expecting(named("a string", what));
  const char* start = at_;
  while (at_ != end_ && *at_ != '"' && *at_ != '\\' && !is_control(*at_)) ++at_;
  if (at_ == end_) fail(named("the text ends inside a string", what));
  if (*at_ != '"') fail(named("unexpected character in a string", what));
  return {start, static_cast<std::size_t>(at_++ - start)};
}

std::string JsonCursor::string(const char* what) {
  if (!take('"')) fail_expecting(named("a string", what));
  std::string out;
  for (;;) {
    const char* start = at_;
    while (at_ != end_ && *at_ != '"' && *at_ != '\\' && !is_control(*at_)) ++at_;
    out.append(start, at_);
    if (at_ == end_) fail(named("the text ends inside a string", what));
    if (is_control(*at_)) fail(named("control character in a string", what));
    if (*at_++ == '"') return out;
    unescape(out);
  }
}

void JsonCursor::unescape(std::string& out) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  if (at_ == end_) fail("the text ends inside an escape");
  const char escape = *at_++;
  if (const auto which = kEscapes.find(escape); which != std::string_view::npos) {
    out += kMeanings[which];
    canonical_ &= kWrittenEscapes.find(escape) != std::string_view::npos;
    return;
  }
  if (escape != 'u') fail(std::string("unknown escape `\\") + escape + "`");
  canonical_ = false;
  unsigned code_point = code_unit();
  if (code_point >= 0xD800 && code_point < 0xE000) {  // half of a pair
    const bool paired = code_point < 0xDC00 && end_ - at_ >= 2 && at_[0] == '\\' && at_[1] == 'u';
    if (!paired) fail("lone surrogate in a \\u escape");
    at_ += 2;
    const unsigned low = code_unit();
    if (low < 0xDC00 || low > 0xDFFF) fail("lone surrogate in a \\u escape");
    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
  }
  append_utf8(out, code_point);
}

unsigned JsonCursor::code_unit() {
  unsigned value = 0;
  const char* stop = at_ + std::min<std::ptrdiff_t>(4, end_ - at_);
  if (stop - at_ != 4 || std::from_chars(at_, stop, value, 16).ptr != stop)
    fail("\\u takes four hex digits");
  at_ = stop;
  return value;
}

void JsonCursor::skip(int depth) {
  constexpr int kMaxDepth = 64;
  if (depth > kMaxDepth) fail("nested too deeply");
  skip_space();
  const char first = at_ == end_ ? '\0' : *at_;
  if (first == '"') {
    string("skipped");
  } else if (first == '[') {
    list([&] { skip(depth + 1); });
  } else if (first == '{') {
    object([&](std::string_view) {
      skip(depth + 1);
      return true;
    });
  } else {
    for (const std::string_view word : {"null", "true", "false"}) {
      if (std::string_view(at_, bytes_left()).starts_with(word)) {
        at_ += word.size();
        return;
      }
    }
    number("skipped");
  }
}

void JsonCursor::expect_end() {
  skip_space();
  if (at_ != end_) fail_expecting("the end");
}

void append_json_integer(std::string& out, std::int64_t value) {
  char digits[20];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  out.append(digits, end);
}

void append_json_number(std::string& out, double value) {
  check(std::isfinite(value), "JSON knows finite numbers only");
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value,
                                 std::chars_format::general, kStreamDigits)
                       .ptr;
  out.append(digits, end);
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (const auto which = kWritten.find(c); which != std::string_view::npos) {
      out += '\\';
      out += kWrittenEscapes[which];
    } else if (is_control(c)) {
      constexpr std::string_view kHexDigits = "0123456789abcdef";
      out += "\\u00";
      out += kHexDigits[c >> 4];
      out += kHexDigits[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace hone
