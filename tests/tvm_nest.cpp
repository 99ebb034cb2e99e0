#include "tests/tvm_nest.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string_view>

namespace hone {
namespace {

using Env = std::map<std::string, double>;

// One dimension of a region: "lo:hi" or a single index.
struct Span {
  std::string min, end;
};
using Regions = std::map<std::string, std::vector<Span>>;

// Evaluates a Python expression of the printed form while reading it.
class Evaluator {
 public:
  Evaluator(std::string_view text, const Env& env, const Regions& regions)
      : at_(text.data()), end_(text.data() + text.size()), env_(env), regions_(regions) {}

  double run() {
    const double value = disjunction();
    skip_space();
    if (at_ != end_) stop("something follows the expression");
    return value;
  }
  // "name[i, j]": the name, with the index relative to the tensor's region.
  std::vector<std::int64_t> element(std::string& name) {
    name = identifier();
    return index(name);
  }

 private:
  [[noreturn]] void stop(const char* what) const {
    throw std::runtime_error(std::string(what) + " at " + std::string(at_, end_).substr(0, 60));
  }
  void skip_space() {
    while (at_ != end_ && *at_ == ' ') ++at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (!std::string_view(at_, end_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) stop("a token is missing");
  }
  bool take_word(std::string_view word) {
    const char* const before = at_;
    if (take(word) && (at_ == end_ || (std::isalnum(*at_) == 0 && *at_ != '_'))) return true;
    at_ = before;
    return false;
  }
  std::string identifier() {
    skip_space();
    const char* const begin = at_;
    while (at_ != end_ && (std::isalnum(*at_) != 0 || *at_ == '_' || *at_ == '.')) ++at_;
    return {begin, at_};
  }

  double disjunction() {
    double value = conjunction();
    while (take_word("or")) {
      const double other = conjunction();
      value = value != 0 || other != 0;
    }
    return value;
  }
  double conjunction() {
    double value = comparison();
    while (take_word("and")) {
      const double other = comparison();
      value = value != 0 && other != 0;
    }
    return value;
  }
  double comparison() {
    if (take_word("not")) return comparison() == 0;
    const double a = sum();
    if (take("<=")) return a <= sum();
    if (take(">=")) return a >= sum();
    if (take("==")) return a == sum();
    if (take("!=")) return a != sum();
    if (take("<")) return a < sum();
    if (take(">")) return a > sum();
    return a;
  }
  double sum() {
    double value = product();
    while (true) {
      if (take("+"))
        value += product();
      else if (take("-"))
        value -= product();
      else
        return value;
    }
  }
  double product() {
    double value = unary();
    while (true) {
      if (take("//"))
        value = std::floor(value / unary());
      else if (take("*"))
        value *= unary();
      else if (take("/"))
        value /= unary();
      else if (take("%")) {
        const double divisor = unary();
        value -= std::floor(value / divisor) * divisor;
      } else
        return value;
    }
  }
  double unary() {
    if (take("-")) return -unary();
    if (take("(")) {
      const double value = disjunction();
      expect(")");
      return value;
    }
    skip_space();
    if (at_ != end_ && std::isdigit(*at_) != 0) {
      char* after = nullptr;
      const double value = std::strtod(at_, &after);
      at_ = after;
      return value;
    }
    return named();
  }
  double named() {
    const std::string name = identifier();
    if (name == "True" || name == "False") return name == "True";
    if (take("(")) return call(name);
    if (at_ != end_ && *at_ == '[') return element_value(name, index(name));
    const auto found = env_.find(name);
    if (found == env_.end()) stop("an unknown variable");
    return found->second;
  }
  double call(const std::string& function) {
    std::vector<double> args;
    do args.push_back(disjunction());
    while (take(","));
    expect(")");
    if (function == "T.Select" || function == "T.if_then_else") return args[0] != 0 ? args[1] : args[2];
    if (function == "T.max") return std::max(args[0], args[1]);
    if (function == "T.min") return std::min(args[0], args[1]);
    if (function == "T.Add") return args[0] + args[1];
    if (function == "T.exp") return std::exp(args[0]);
    if (function == "T.erf") return std::erf(args[0]);
    if (function == "T.tanh") return std::tanh(args[0]);
    if (function == "T.sqrt") return std::sqrt(args[0]);
    if (function == "T.rsqrt") return 1 / std::sqrt(args[0]);
    if (function == "T.likely" || function == "T.float32" || function == "T.bool") return args[0];
    stop("an unknown function");
  }
  std::vector<std::int64_t> index(const std::string& name) {
    const auto region = regions_.find(name);
    std::vector<std::int64_t> values;
    expect("[");
    do {
      double value = disjunction();
      if (region != regions_.end()) {
        value -= Evaluator(region->second[values.size()].min, env_, regions_).run();
      }
      values.push_back(std::llround(value));
    } while (take(","));
    expect("]");
    return values;
  }

  const char* at_;
  const char* end_;
  const Env& env_;
  const Regions& regions_;
};

// "a, b[c, d], e" -> its three parts.
std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || !parts.back().empty())
      parts.back() += c;
  }
  return parts;
}

std::string between(const std::string& text, std::string_view open, std::string_view close) {
  const std::size_t begin = text.find(open) + open.size();
  return text.substr(begin, text.rfind(close) - begin);
}

class TvmReader {
 public:
  explicit TvmReader(const std::string& text) : text_(text) {}

  std::vector<NestEvent> run() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string line = text_.substr(at, end - at);
      const std::size_t indent = line.find_first_not_of(' ');
      if (indent != std::string::npos) {
        while (!scopes_.empty() && scopes_.back().indent > indent) leave();
        statement(line.substr(indent), indent);
      }
      at = end + 1;
    }
    return std::move(events_);
  }

 private:
  struct Scope {
    std::size_t indent;  // of the lines inside
    std::size_t n_loops, n_guards;
    std::vector<std::pair<std::string, std::vector<Span>>> hidden;  // regions to put back
  };
  struct Loop {
    std::string var;
    NestLoop loop;
  };

  void leave() {
    loops_.resize(scopes_.back().n_loops);
    guards_.resize(scopes_.back().n_guards);
    for (auto& [name, region] : scopes_.back().hidden) regions_[name] = region;
    scopes_.pop_back();
  }

  void statement(const std::string& line, std::size_t indent) {
    // What a line without a block of its own opens lasts to the end of the block that it stands in.
    const bool has_block = line.ends_with(':');
    scopes_.push_back({has_block ? indent + 1 : indent, loops_.size(), guards_.size(), {}});
    if (line.starts_with("for ")) return loop(line);
    if (line.starts_with("if ")) return guards_.push_back(between(line, "if ", ":"));
    if (line.find("T.launch_thread(") != std::string::npos) return thread(line);
    if (line.find("T.ProducerRealize(") != std::string::npos) return realize(line);
    const bool is_other = line.starts_with("T.") || line.starts_with("with ") ||
                          line.find(" = T.int32(") != std::string::npos ||
                          line.find(" = T.allocate(") != std::string::npos ||
                          line.find(" = T.Buffer(") != std::string::npos;
    if (!is_other) store(line);
  }

  void loop(const std::string& line) {
    const std::size_t in = line.find(" in ");
    const std::vector<std::string> vars = split_list(line.substr(4, in - 4));
    const std::string range = line.substr(in + 4);
    const std::vector<std::string> extents = split_list(between(range, "(", ")"));
    ir::LoopKind kind = ir::LoopKind::Serial;
    if (range.starts_with("T.parallel")) kind = ir::LoopKind::Parallel;
    if (range.starts_with("T.vectorized")) kind = ir::LoopKind::Vectorized;
    if (range.starts_with("T.unroll")) kind = ir::LoopKind::Unrolled;
    for (std::size_t i = 0; i < vars.size(); ++i) {
      loops_.push_back({vars[i], {kind, std::stoll(extents[i])}});
    }
  }

  void thread(const std::string& line) {
    const std::vector<std::string> args = split_list(between(line, "T.launch_thread(", ")"));
    const std::string var =
        line.starts_with("with ") ? between(line, " as ", ":") : line.substr(0, line.find(" = "));
    ir::LoopKind kind = ir::LoopKind::Vthread;
    for (auto k = ir::LoopKind::Vthread; k <= ir::LoopKind::ThreadZ;
         k = static_cast<ir::LoopKind>(static_cast<int>(k) + 1)) {
      if (args[0] == '"' + ir::to_string(k) + '"') kind = k;
    }
    loops_.push_back({var, {kind, std::stoll(args[1])}});
  }

  void realize(const std::string& line) {
    const std::string region = split_list(between(line, "T.ProducerRealize(", ")"))[0];
    const std::string name = region.substr(0, region.find('['));
    std::vector<Span> spans;
    for (const std::string& part : split_list(between(region, "[", "]"))) {
      const std::size_t colon = part.find(':');
      if (colon == std::string::npos)
        spans.push_back({part, part + " + 1"});
      else
        spans.push_back({part.substr(0, colon), part.substr(colon + 1)});
    }
    NestEvent event;
    event.tensor = name;
    event.loops = outer_loops();
    const Env env = env_at(std::vector<std::int64_t>(event.loops.size(), 0));
    for (const Span& span : spans) {
      event.shape.push_back(std::llround(Evaluator(span.end, env, regions_).run() -
                                         Evaluator(span.min, env, regions_).run()));
    }
    events_.push_back(std::move(event));
    if (regions_.contains(name)) scopes_.back().hidden.emplace_back(name, regions_[name]);
    regions_[name] = std::move(spans);
  }

  void store(const std::string& line) {
    const std::size_t equals = line.find("] = ");
    const std::string target = line.substr(0, equals + 1), value = line.substr(equals + 4);
    NestEvent event;
    event.is_store = true;
    event.tensor = target.substr(0, target.find('['));
    event.loops = outer_loops();
    event.effect = [target, value, loops = loops_, guards = guards_,
                    regions = regions_](const std::vector<std::int64_t>& at) {
      const Env env = env_at(loops, at);
      NestEvent::Effect effect{true, {}, 0};
      for (const std::string& guard : guards) {
        effect.happens = effect.happens && Evaluator(guard, env, regions).run() != 0;
      }
      std::string name;
      effect.index = Evaluator(target, env, regions).element(name);
      effect.value = Evaluator(value, env, regions).run();
      return effect;
    };
    events_.push_back(std::move(event));
  }

  std::vector<NestLoop> outer_loops() const {
    std::vector<NestLoop> loops;
    for (const Loop& loop : loops_) {
      if (loop.loop.extent > 1) loops.push_back(loop.loop);
    }
    return loops;
  }
  static Env env_at(const std::vector<Loop>& loops, const std::vector<std::int64_t>& values) {
    Env env;
    std::size_t next = 0;
    for (const Loop& loop : loops) {
      env[loop.var] = loop.loop.extent > 1 ? static_cast<double>(values[next++]) : 0;
    }
    return env;
  }
  Env env_at(const std::vector<std::int64_t>& values) const { return env_at(loops_, values); }

  const std::string& text_;
  std::vector<Scope> scopes_;
  std::vector<Loop> loops_;
  std::vector<std::string> guards_;
  Regions regions_;
  std::vector<NestEvent> events_;
};

}  // namespace

std::vector<NestEvent> events_of_tvm_nest(const std::string& text) { return TvmReader(text).run(); }

}  // namespace hone
