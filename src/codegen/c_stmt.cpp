// Statements as C, and the functions they stand in.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "codegen/c_emit.h"
#include "codegen/image.h"
#include "codegen/kernel.h"
#include "codegen/loops.h"

namespace hone::codegen {

namespace {

// What stands in front of a function so that the promises of its parameters are kept.
constexpr std::string_view kApart = "__attribute__((noinline)) static void";

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

void CEmitter::line(const std::string& text) {
  text_.append(std::size_t{2} * static_cast<std::size_t>(indent_), ' ').append(text).append("\n");
}

void CEmitter::block(const std::string& head, const std::function<void()>& body) {
  line(head.empty() ? "{" : head + " {");
  ++indent_;
  body();
  --indent_;
  line("}");
}

std::string CEmitter::parameter(const ir::BufferNode& buffer) {
  bool alone = true;
  for (const auto& [other, placement] : plan_.placements) {
    alone &= other == &buffer || !plan_.may_overlap(buffer, *other);
  }
  return fmt::format("{}*{} {}", memory_type(buffer.type.scalar), alone ? " restrict" : "",
                     names_.at(&buffer));
}

// The program becomes a function of its buffers, since only there restrict says that they lie apart.
void CEmitter::entry(const std::string& head) {
  std::vector<std::string> params, args;
  for (std::size_t i = 0; i < program_.params.size(); ++i) {
    const ir::BufferNode& buffer = *program_.params[i];
    names_[&buffer] = unit_.fresh_name(buffer.name);
    params.push_back(parameter(buffer));
    args.push_back(fmt::format("call->buffers[{}]", i));
  }
  params.insert(params.end(), {"char* scratch", "const struct hone_table* table"});
  args.insert(args.end(), {"call->scratch", "call->table"});
  const std::string name = unit_.fresh_name(program_.name);
  statements(0, static_cast<std::int32_t>(program_.stmts.size()));
  unit_.add_code(fmt::format("{} {}({}) {{\n  (void)scratch, (void)table;\n{}}}\n\n", kApart, name,
                             joined(params), text_));
  unit_.add_code(
      fmt::format("{}(const struct hone_call* call) {{\n  {}({});\n}}\n", head, name, joined(args)));
}

void CEmitter::statements(std::int32_t begin, std::int32_t end) {
  for (std::int32_t i = begin; i < end;) {
    const ir::Stmt& stmt = program_.stmts[static_cast<std::size_t>(i)];
    statement(stmt, i);
    i = stmt.end;
  }
}

void CEmitter::statement(const ir::Stmt& stmt, std::int32_t position) {
  const std::int32_t body = position + 1;
  const auto inside = [&] { statements(body, stmt.end); };
  hone::match(
      stmt.kind, [&](const ir::For& n) { loop(n, body, stmt.end); },
      [&](const ir::Store& n) { store(n); },
      [&](const ir::Alloc& n) {
        alloc(*n.buffer);
        inside();
      },
      [&](const ir::If& n) {
        begin_statement({n.condition});
        const std::string condition = value(n.condition);
        block(fmt::format("if ({})", bare(condition)), inside);
      },
      [&](const ir::Else&) { block("else", inside); },
      [&](const ir::Let& n) {
        begin_statement({n.value});
        if (n.var.type() == ir::kIndex) ranges_[n.var.get()] = ir::bounds(n.value, ranges_);
        const std::string text = value(n.value);
        const std::string& name = names_[n.var.get()] = unit_.fresh_name(ir::name_of(n.var));
        line(fmt::format("const {} {} = {};", unit_.type(n.var.type()), name, bare(text)));
        inside();
      },
      [&](const ir::Barrier&) { throw UserError("barriers are for GPU programs, not for CPU code"); },
      [&](const ir::Intrinsic& n) { intrinsic(n); });
}

void CEmitter::loop(const ir::For& n, std::int32_t body, std::int32_t end) {
  check_cpu_loop(n);
  ranges_[n.var.get()] = loop_range(n, ranges_);
  if (is_spread(n) && !in_parallel_) return parallel_loop(n, body, end);
  begin_statement({n.min, n.extent});
  const std::string& name = names_[n.var.get()] = unit_.fresh_name(ir::name_of(n.var));
  const std::string min = value(n.min);
  const std::string last = value(ir::simplify(n.min + n.extent, ranges_));
  block(fmt::format("for (int64_t {0} = {1}; {0} < {2}; ++{0})", name, bare(min), last),
        [&] { statements(body, end); });
  unit_.release(name);
}

// The body becomes two functions: one that a thread calls, which takes the struct with all that the
// body uses apart, and one of these parts, where restrict says that they lie apart.
void CEmitter::parallel_loop(const ir::For& n, std::int32_t body, std::int32_t end) {
  const Capture captured = capture(program_, body - 1, end);
  const std::string name = unit_.fresh_name("parallel_" + std::string(ir::name_of(n.var)));
  CEmitter inner(unit_, program_, plan_);
  inner.ranges_ = ranges_;
  inner.in_parallel_ = true;
  inner.names_ = names_;
  std::vector<std::string> fields, params, args, values;
  const auto pass = [&](const std::string& type, const std::string& param, const std::string& own) {
    fields.push_back(fmt::format("{} {};", type, own));
    params.push_back(param);
    args.push_back("c->" + own);
    values.push_back(own);
  };
  for (const ir::Buffer& buffer : captured.buffers) {
    check(buffer->scope != ir::Scope::Register && names_.contains(buffer.get()),
          "a buffer that enters a parallel loop lies in memory");
    pass(memory_type(buffer->type.scalar) + "*", parameter(*buffer), names_.at(buffer.get()));
  }
  for (const ir::Expr& variable : captured.variables) {
    const std::string type = unit_.type(variable.type()), &own = names_.at(variable.get());
    pass(type, fmt::format("{} {}", type, own), own);
  }
  pass("char*", "char* scratch", "scratch");
  const std::string& var = inner.names_[n.var.get()] = unit_.fresh_name(ir::name_of(n.var));
  inner.begin_statement({n.min});
  const std::string shift = ir::is_int(n.min, 0) ? "" : inner.value(n.min) + " + ";
  inner.block(fmt::format("for (int64_t {0} = {1}begin; {0} < {1}end; ++{0})", var, shift),
              [&] { inner.statements(body, end); });
  unit_.release(var);

  unit_.add_code(fmt::format(
      "{0} {1}({2}, int64_t begin, int64_t end, int64_t thread) {{\n  (void)scratch, "
      "(void)thread;\n{3}}}\n\n"
      "struct {1}_context {{ {4} }};\n\n"
      "static void {1}_slice(void* context, int64_t begin, int64_t end, int64_t thread) {{\n"
      "  const struct {1}_context* c = context;\n  {1}({5}, begin, end, thread);\n}}\n\n",
      kApart, name, joined(params), inner.text_, fmt::join(fields, " "), joined(args)));
  begin_statement({n.extent});
  block("", [&] {
    const std::string extent = value(n.extent), own = unit_.fresh_name("context");
    line(fmt::format("struct {}_context {} = {{{}}};", name, own, joined(values)));
    line(fmt::format("table->parallel(table, {}_slice, &{}, {});", name, own, extent));
  });
}

void CEmitter::alloc(const ir::BufferNode& buffer) {
  const Placement& placement = plan_.placements.at(&buffer);
  const std::string& name = names_[&buffer] = unit_.fresh_name(buffer.name);
  const std::string type = memory_type(buffer.type.scalar);
  const std::int64_t n_elements = ir::span_elements(buffer);
  switch (placement.storage) {
    case Storage::Registers: {
      std::vector<std::string>& elements = registers_[&buffer];
      for (std::int64_t i = 0; i < n_elements; ++i)
        elements.push_back(unit_.fresh_name(fmt::format("{}_{}", name, i)));
      line(fmt::format("{} {};", unit_.type(buffer.type), joined(elements)));
      return;
    }
    case Storage::Stack:
      line(fmt::format("{} {}[{}] __attribute__((aligned(64)));", type, name, n_elements));
      return;
    case Storage::Shared:
      line(
          fmt::format("{}* const {} = ({}*)(scratch + {});", type, name, type, placement.offset_bytes));
      return;
    case Storage::Thread:
      line(fmt::format("{}* const {} = ({}*)(scratch + {} + thread * {});", type, name, type,
                       plan_.scratch_bytes + placement.offset_bytes, plan_.thread_scratch_bytes));
      return;
  }
}

void CEmitter::store(const ir::Store& n) {
  const ir::BufferNode& buffer = *n.buffer;
  const ir::Type type = n.value.type();
  begin_statement({n.value});
  if (buffer.scope == ir::Scope::Register) {
    const std::string stored = value(n.value);
    line(fmt::format("{} = {};", register_name(buffer, n.index), bare(stored)));
    return;
  }
  const auto access = find_access(buffer, n.index, ranges_);
  if (access && (type.lanes == 1 || access->lane_stride == 1)) {
    const std::string stored = value(n.value);
    store_at(buffer, access->offset, type, stored);
    return;
  }
  const std::string name = unit_.fresh_name("t"), vector = value(n.value);
  line(fmt::format("const {} {} = {};", unit_.type(type), name, bare(vector)));
  for (int lane = 0; lane < type.lanes; ++lane) {
    std::vector<ir::Expr> index;
    for (const ir::Expr& i : n.index) index.push_back(lane_expr(i, lane));
    const auto at = find_access(buffer, index, ranges_);
    check(at.has_value(), "a scalar index has a place");
    store_at(buffer, at->offset, type.element(), fmt::format("{}[{}]", name, lane));
  }
}

void CEmitter::intrinsic(const ir::Intrinsic& n) {
  const Access access = find_prefetch(n, ranges_);
  begin_statement({});
  line(fmt::format("__builtin_prefetch(&{});", place(*n.reads.front().buffer, access.offset)));
}

std::string print_c(const ir::Program& program, const target::Target&) {
  CUnit unit;
  const MemoryPlan plan = plan_memory(program);
  CEmitter(unit, program, plan).entry(fmt::format("void {}", kEntryName));
  return unit.text(program.name);
}

std::string print_c_kernels(std::span<const ir::Program> programs, const std::string& title) {
  CUnit unit;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const MemoryPlan plan = plan_memory(programs[i]);
    CEmitter(unit, programs[i], plan).entry(fmt::format("static void kernel_{}", i));
    unit.add_code("\n");
  }
  return unit.text(title);
}

}  // namespace hone::codegen
