#include "ir/parse.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "ir/parse_expr.h"
#include "ir/program_words.h"

namespace hone::ir {
namespace {

template <class Enum>
std::optional<Enum> enum_named(std::string_view text, Enum last) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (to_string(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

class ProgramParser {
 public:
  explicit ProgramParser(std::string_view text) : lexer_(text) {}

  Program run() {
    lexer_.expect("program");
    program_.name = lexer_.expect_name("the program's name");
    lexer_.expect("(");
    if (!lexer_.accept(")")) {
      do program_.params.push_back(declaration());
      while (lexer_.accept(","));
      lexer_.expect(")");
    }
    while (lexer_.peek().kind != Token::Kind::End) {
      const Token first = lexer_.peek();
      close_bodies(depth_of(first));
      statement();
      if (lexer_.peek().line == first.line && lexer_.peek().kind != Token::Kind::End) {
        lexer_.fail("expected the end of the line");
      }
    }
    close_bodies(1);
    return std::move(program_);
  }

 private:
  // Two spaces a level; statements of the program itself are at level 1.
  std::size_t depth_of(const Token& first) const {
    const auto indent = static_cast<std::size_t>(first.column - 1);
    const bool may_open =
        open_.empty() || is_body_owner(program_.stmts[static_cast<std::size_t>(open_.back())]);
    if (indent % 2 != 0 || indent == 0 || indent / 2 > open_.size() + (may_open ? 1 : 0)) {
      Lexer::fail(first, "the indentation fits no body");
    }
    return indent / 2;
  }
  static bool is_body_owner(const Stmt& stmt) {
    return !stmt.as<Store>() && !stmt.as<Barrier>() && !stmt.as<Intrinsic>();
  }

  void close_bodies(std::size_t depth) {
    while (open_.size() >= depth) {
      writer_.close(open_.back());
      const Stmt& closed = program_.stmts[static_cast<std::size_t>(open_.back())];
      if (const auto* loop = closed.as<For>()) variables_.erase(variables_.find(name_of(loop->var)));
      if (const auto* let = closed.as<Let>()) variables_.erase(variables_.find(name_of(let->var)));
      if (const auto* alloc = closed.as<Alloc>()) buffers_.erase(alloc->buffer->name);
      open_.pop_back();
    }
  }

  void statement() {
    const Token first = lexer_.peek();
    const std::string_view word = lexer_.expect_name("a statement");
    if (const auto kind = enum_named(word, LoopKind::Tensorized)) return open(loop(*kind));
    if (word == "alloc") return open(Alloc{declaration()});
    if (word == "if") return open(If{expression()});
    if (word == "else") return open(Else{});
    if (word == "let") return open(let());
    if (word == "barrier") return open(Barrier{scope_word()});
    if (word == "call") return open(intrinsic());
    Buffer buffer = buffer_named(first);
    lexer_.expect("[");
    std::vector<Expr> index = list("]");
    lexer_.expect("=");
    open(Store{std::move(buffer), std::move(index), expression()});
  }
  void open(Stmt::Kind kind) { open_.push_back(writer_.open(std::move(kind))); }

  For loop(LoopKind kind) {
    const Token name = new_name();
    lexer_.expect("(");
    For result{variable(std::string(name.text)), expression(), {}, kind};
    lexer_.expect(",");
    result.extent = expression();
    lexer_.expect(")");
    if (lexer_.accept(kAutoUnrollWord)) result.auto_unroll_max_step = count();
    while (lexer_.accept(kAheadWord)) {
      const std::string buffer(lexer_.expect_name("a buffer's name"));
      result.ahead.push_back({buffer, count()});
    }
    variables_.emplace(name.text, result.var);
    return result;
  }

  std::int32_t count() {
    const Token where = lexer_.peek();
    const std::int64_t number = parse_int(lexer_);
    if (number < 0 || number > std::numeric_limits<std::int32_t>::max())
      Lexer::fail(where, "expected a count");
    return static_cast<std::int32_t>(number);
  }

  Let let() {
    const Token name = new_name();
    lexer_.expect(":");
    const Type type = type_word();
    lexer_.expect("=");
    Let result{variable(std::string(name.text), type), expression()};
    variables_.emplace(name.text, result.var);
    return result;
  }

  Intrinsic intrinsic() {
    Intrinsic result;
    result.name = lexer_.expect_name("the intrinsic's name");
    lexer_.expect("(");
    result.args = list(")");
    if (lexer_.accept("reads")) result.reads = regions();
    if (lexer_.accept("writes")) result.writes = regions();
    return result;
  }

  std::vector<Region> regions() {
    std::vector<Region> result;
    do {
      const Token name = lexer_.peek();
      lexer_.expect_name("a buffer");
      Region region{buffer_named(name), {}, {}};
      lexer_.expect("[");
      if (!lexer_.accept("]")) {
        do {
          region.min.push_back(expression());
          lexer_.expect(":");
          region.extent.push_back(expression());
        } while (lexer_.accept(","));
        lexer_.expect("]");
      }
      result.push_back(std::move(region));
    } while (lexer_.accept(","));
    return result;
  }

  // name: type[shape] strides [strides] scope
  Buffer declaration() {
    const Token name = new_name();
    lexer_.expect(":");
    const Type type = type_word();
    const Token where = lexer_.peek();
    const std::vector<std::int64_t> shape = numbers();
    std::vector<std::int64_t> strides;
    if (lexer_.accept("strides")) strides = numbers();
    if (!strides.empty() && strides.size() != shape.size())
      Lexer::fail(where, "expected one stride a dimension");
    const bool has_scope = lexer_.peek().kind == Token::Kind::Name && lexer_.peek().line == where.line;
    const Scope scope = has_scope ? scope_word() : Scope::Global;
    Buffer buffer = make_buffer(std::string(name.text), type, shape, scope, std::move(strides));
    buffers_.emplace(name.text, buffer);
    return buffer;
  }

  std::vector<std::int64_t> numbers() {
    std::vector<std::int64_t> result;
    lexer_.expect("[");
    if (lexer_.accept("]")) return result;
    do result.push_back(parse_int(lexer_));
    while (lexer_.accept(","));
    lexer_.expect("]");
    return result;
  }

  Type type_word() {
    const Token where = lexer_.peek();
    const auto type = parse_type(lexer_.expect_name("a type"));
    if (!type) Lexer::fail(where, "expected a type");
    return *type;
  }
  Scope scope_word() {
    const Token where = lexer_.peek();
    const auto scope = enum_named(lexer_.expect_name("a memory scope"), Scope::Register);
    if (!scope) Lexer::fail(where, "expected a memory scope");
    return *scope;
  }

  Token new_name() {
    const Token name = lexer_.peek();
    lexer_.expect_name("a new name");
    const bool is_taken = variables_.contains(name.text) || buffers_.contains(name.text);
    if (is_taken || is_reserved(name.text)) Lexer::fail(name, "expected a name that is free");
    return name;
  }
  Buffer buffer_named(const Token& name) const {
    const auto found = buffers_.find(name.text);
    if (found == buffers_.end()) Lexer::fail(name, "no such buffer");
    return found->second;
  }

  std::vector<Expr> list(std::string_view close) {
    std::vector<Expr> items;
    if (lexer_.accept(close)) return items;
    do items.push_back(expression());
    while (lexer_.accept(","));
    lexer_.expect(close);
    return items;
  }
  Expr expression() { return parse_expr(lexer_, scope_); }

  Lexer lexer_;
  Program program_;
  ProgramWriter writer_{program_};
  std::vector<std::int32_t> open_;  // positions of the statements around, outermost first
  std::map<std::string, Expr, std::less<>> variables_;
  std::map<std::string, Buffer, std::less<>> buffers_;
  const ExprScope scope_{[this](std::string_view name) {
                           const auto found = variables_.find(name);
                           return found == variables_.end() ? std::nullopt
                                                            : std::optional(found->second);
                         },
                         [this](std::string_view name) {
                           const auto found = buffers_.find(name);
                           return found == buffers_.end() ? nullptr : found->second;
                         }};
};

}  // namespace

Program parse_program(std::string_view text) { return ProgramParser(text).run(); }

}  // namespace hone::ir
