// The two kinds of thrown error: the user's (with a hint) and ours (with the place).
#pragma once
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hone {

// Something the user or the machine got wrong. `hint` says what to do about it and may be empty.
class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& what, std::string hint = {})
      : std::runtime_error(what), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

// A bug of ours; the message carries file and line.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail(std::string_view what,
                       std::source_location place = std::source_location::current());

// Always on. Costly messages belong into `if (!ok) fail(fmt::format(...))`.
inline void check(bool ok, std::string_view what,
                  std::source_location place = std::source_location::current()) {
  if (!ok) [[unlikely]]
    fail(what, place);
}

// For hot loops: kept in dev and sanitizer builds only.
inline void dcheck([[maybe_unused]] bool ok, [[maybe_unused]] std::string_view what,
                   [[maybe_unused]] std::source_location place = std::source_location::current()) {
#ifdef HONE_DCHECK
  check(ok, what, place);
#endif
}

}  // namespace hone
