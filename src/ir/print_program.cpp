#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_map>
#include <unordered_set>

#include "ir/lexer.h"
#include "ir/print.h"
#include "ir/program_words.h"

namespace hone::ir {
namespace {

// Names for variables and buffers that the parser can tell apart. A name is taken from its definition
// to the end of its scope, so loops that follow each other keep their own names.
class NameTable {
 public:
  // The name of what `identity` points to, chosen at the first call.
  std::string name(const void* identity, const std::string& wanted) {
    const auto found = names_.find(identity);
    if (found != names_.end()) return found->second;
    std::string base = is_name(wanted) && !is_reserved(wanted) ? wanted : readable(wanted);
    std::string unique = base;
    for (int n = 1; !taken_.insert(unique).second; ++n) unique = fmt::format("{}_{}", base, n);
    names_.emplace(identity, unique);
    return unique;
  }
  void release(const void* identity) {
    const auto found = names_.find(identity);
    if (found == names_.end()) return;
    taken_.erase(found->second);
    names_.erase(found);
  }

 private:
  static std::string readable(const std::string& wanted) {
    std::string text = "v_";
    for (const char c : wanted) text += is_name(std::string(1, c)) || (c >= '0' && c <= '9') ? c : '_';
    return text;
  }

  std::unordered_map<const void*, std::string> names_;
  std::unordered_set<std::string> taken_;
};

class ProgramPrinter {
 public:
  std::string run(const Program& program) {
    out_ = fmt::format("program {}(", is_name(program.name) ? program.name : "unnamed");
    for (std::size_t i = 0; i < program.params.size(); ++i) {
      out_ += (i > 0 ? ", " : "") + declaration(program.params[i]);
    }
    out_ += ")\n";
    for (std::size_t position = 0; position < program.stmts.size(); ++position) {
      close_bodies(position);
      const Stmt& stmt = program.stmts[position];
      out_.append(2 * (open_.size() + 1), ' ');
      out_ += hone::match(stmt.kind, [&](const auto& kind) { return line(kind); });
      out_ += '\n';
      open_.push_back(&stmt);
    }
    return std::move(out_);
  }

 private:
  // Works on bodies that do not nest as well: a faulty program must print.
  void close_bodies(std::size_t position) {
    while (!open_.empty() && open_.back()->end <= static_cast<std::int64_t>(position)) {
      const Stmt& closed = *open_.back();
      if (const auto* loop = closed.as<For>()) names_.release(loop->var.get());
      if (const auto* let = closed.as<Let>()) names_.release(let->var.get());
      if (const auto* alloc = closed.as<Alloc>()) names_.release(alloc->buffer.get());
      open_.pop_back();
    }
  }

  // Bounds and values are printed before the name they define comes into being.
  std::string line(const For& s) {
    const std::string range = fmt::format("({}, {})", text(s.min), text(s.extent));
    std::string pragma = s.auto_unroll_max_step < 0
                             ? ""
                             : fmt::format(" {} {}", kAutoUnrollWord, s.auto_unroll_max_step);
    for (const Ahead& ahead : s.ahead)
      pragma += fmt::format(" {} {} {}", kAheadWord, ahead.buffer, ahead.iterations);
    return fmt::format("{} {} {}{}", to_string(s.kind), text(s.var), range, pragma);
  }
  std::string line(const Store& s) {
    return fmt::format("{}[{}] = {}", name(s.buffer), list(s.index), text(s.value));
  }
  std::string line(const Alloc& s) { return "alloc " + declaration(s.buffer); }
  std::string line(const If& s) { return "if " + text(s.condition); }
  std::string line(const Else&) { return "else"; }
  std::string line(const Let& s) {
    const std::string value = text(s.value);
    return fmt::format("let {}: {} = {}", text(s.var), to_string(s.var.type()), value);
  }
  std::string line(const Barrier& s) { return "barrier " + to_string(s.scope); }
  std::string line(const Intrinsic& s) {
    std::string line = fmt::format("call {}({})", is_name(s.name) ? s.name : "unnamed", list(s.args));
    if (!s.reads.empty()) line += " reads " + regions(s.reads);
    if (!s.writes.empty()) line += " writes " + regions(s.writes);
    return line;
  }

  std::string regions(const std::vector<Region>& all) {
    std::vector<std::string> items;
    for (const Region& region : all) {
      std::vector<std::string> dims;
      for (std::size_t d = 0; d < std::min(region.min.size(), region.extent.size()); ++d) {
        dims.push_back(text(region.min[d]) + ":" + text(region.extent[d]));
      }
      items.push_back(fmt::format("{}[{}]", name(region.buffer), fmt::join(dims, ", ")));
    }
    return fmt::format("{}", fmt::join(items, ", "));
  }

  std::string declaration(const Buffer& buffer) {
    std::string line = fmt::format("{}: {}[{}]", name(buffer), to_string(buffer->type),
                                   fmt::join(buffer->shape, ", "));
    if (!buffer->strides.empty())
      line += fmt::format(" strides [{}]", fmt::join(buffer->strides, ", "));
    if (buffer->scope != Scope::Global) line += " " + to_string(buffer->scope);
    return line;
  }

  std::string list(const std::vector<Expr>& items) {
    std::vector<std::string> texts;
    for (const Expr& item : items) texts.push_back(text(item));
    return fmt::format("{}", fmt::join(texts, ", "));
  }
  std::string text(const Expr& e) { return e ? print(e, naming_) : "missing"; }
  std::string name(const Buffer& buffer) {
    return buffer ? names_.name(buffer.get(), buffer->name) : "missing";
  }

  NameTable names_;
  const Naming naming_{[this](const Expr& v) { return names_.name(v.get(), std::string(name_of(v))); },
                       [this](const Buffer& b) { return name(b); }};
  std::vector<const Stmt*> open_;
  std::string out_;
};

}  // namespace

std::string print(const Program& program) { return ProgramPrinter().run(program); }

}  // namespace hone::ir
