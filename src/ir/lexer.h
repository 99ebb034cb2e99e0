// Cuts text into the tokens of hone's notations: expressions, tasks and loop programs.
#pragma once
#include <string>
#include <string_view>

namespace hone::ir {

struct Token {
  enum class Kind : unsigned char { Name, Number, Symbol, End };
  Kind kind = Kind::End;
  std::string_view text;  // part of the lexed text
  int line = 1, column = 1;
};

// Names may hold dots and at-signs (i.0@j.0@, conv.local, tir.exp); numbers keep their suffix (0.5f).
// Line ends are no tokens: whoever cares compares the lines of tokens.
class Lexer {
 public:
  // The text must outlive the lexer and its tokens. `first_line` is for messages.
  explicit Lexer(std::string_view text, int first_line = 1);

  const Token& peek() const { return token_; }
  Token next();                     // the current token; moves on
  bool accept(std::string_view t);  // moves on only when the current token is the name or symbol `t`
  void expect(std::string_view t);  // the same, or an error
  std::string_view expect_name(std::string_view what);  // "a variable"; for the message
  [[noreturn]] void fail(const std::string& what) const { fail(token_, what); }
  // Throws UserError "line 3, column 7: what".
  [[noreturn]] static void fail(const Token& where, const std::string& what);

 private:
  void read();
  void skip_space();

  std::string_view rest_;
  int line_, column_ = 1;
  Token token_;
};

bool is_name(std::string_view text);  // whether the lexer reads the whole of it as one name

}  // namespace hone::ir
