#include "ir/bytecode.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "ir/compile_expr.h"
#include "ir/emitter.h"
#include "ir/handlers.h"
#include "ir/interval.h"
#include "ir/simplify.h"

namespace hone::ir::bytecode {
namespace {

// What intrinsics do to values, by name.
enum class Effect : std::uint8_t { None };
constexpr std::array<std::pair<std::string_view, Effect>, 1> kIntrinsics = {
    {{"prefetch", Effect::None}}};

std::size_t dimension_of(LoopKind kind, std::size_t outer_vthreads) {
  constexpr std::array kOrder = {LoopKind::BlockX,  LoopKind::BlockY,  LoopKind::BlockZ,
                                 LoopKind::ThreadX, LoopKind::ThreadY, LoopKind::ThreadZ};
  if (kind == LoopKind::Vthread) {
    check(kFirstVthread + outer_vthreads < kDimensions, "vthread loops are nested too deeply");
    return kFirstVthread + outer_vthreads;
  }
  return static_cast<std::size_t>(std::ranges::find(kOrder, kind) - kOrder.begin());
}

class ProgramCompiler {
 public:
  explicit ProgramCompiler(const Program& program) : program_(program) {
    for (const Buffer& param : program.params) add_buffer(param);
  }

  Code run() {
    compile_range(0, static_cast<std::int32_t>(program_.stmts.size()));
    emitter_.emit({.run = finish});
    emitter_.finish(code_);
    return std::move(code_);
  }

 private:
  const Stmt& stmt(std::int32_t position) const {
    return program_.stmts[static_cast<std::size_t>(position)];
  }
  static std::int64_t length(const std::vector<Instruction>& code) {
    return static_cast<std::int64_t>(code.size());
  }

  std::int32_t add_buffer(const Buffer& buffer) {
    const auto number = static_cast<std::int32_t>(code_.buffers.size());
    code_.buffers.push_back(buffer);
    exprs_.define(buffer, number);
    return number;
  }

  void compile_range(std::int32_t begin, std::int32_t end) {
    const std::int32_t outer_end = std::exchange(body_end_, end);
    for (std::int32_t position = begin; position < end; position = stmt(position).end) {
      emitter_.begin_statement(position);
      exprs_.begin_statement();
      hone::match(stmt(position).kind, [&](const auto& kind) { compile_stmt(kind, position); });
    }
    body_end_ = outer_end;
  }
  void compile_body(std::int32_t position) { compile_range(position + 1, stmt(position).end); }

  void compile_stmt(const For& s, std::int32_t position) {
    if (is_thread_loop(s.kind))
      return launch_ ? compile_thread_loop(s, position) : compile_launch(s, position);
    const Slot min = exprs_.compile(s.min), extent = exprs_.compile(s.extent);
    const Interval first = bounds(s.min, exprs_.ranges());
    const Interval last = first + bounds(s.extent, exprs_.ranges()) - point(1);
    Slot var = 0, end = 0;
    const auto body = emitter_.level([&] {
      var = loop_variable(s, position, {first.min, std::max(first.min, last.max)});
      end = emitter_.keep(1);
      compile_body(position);
    });
    emitter_.emit(
        {.run = begin_loop, .dst = var, .a = min, .b = extent, .c = end, .value = length(body) + 2});
    emitter_.emit(body);
    emitter_.emit({.run = next_iteration, .dst = var, .c = end, .value = -length(body)});
  }

  Slot loop_variable(const For& s, std::int32_t position, Interval range) {
    const Slot slot = emitter_.keep(1);
    exprs_.define(s.var, slot, range);
    code_.loops.emplace_back(position, slot);
    return slot;
  }

  // The outermost thread loop starts the threads, which then run it like every other.
  void compile_launch(const For& s, std::int32_t position) {
    const auto number = static_cast<std::int32_t>(code_.launches.size());
    code_.launches.push_back(
        {.extents = launch_extents(position), .private_buffers = {}, .shared_buffers = {}});
    launch_ = number;
    const auto body = emitter_.branch([&] {
      compile_thread_loop(s, position);
      emitter_.emit({.run = finish});
    });
    launch_.reset();
    emitter_.emit({.run = start_launch, .which = number, .value = length(body) + 1});
    emitter_.emit(body);
  }

  Position launch_extents(std::int32_t position) const {
    Position extents;
    extents.fill(1);
    std::vector<std::int32_t> vthread_ends;
    for (std::int32_t i = position; i < stmt(position).end; ++i) {
      std::erase_if(vthread_ends, [&](std::int32_t end) { return end <= i; });
      const auto* loop = stmt(i).as<For>();
      if (!loop || !is_thread_loop(loop->kind)) continue;
      std::int64_t& extent = extents[dimension_of(loop->kind, vthread_ends.size())];
      extent = std::max(extent, *as_int(loop->extent));
      if (loop->kind == LoopKind::Vthread) vthread_ends.push_back(stmt(i).end);
    }
    return extents;
  }

  void compile_thread_loop(const For& s, std::int32_t position) {
    const std::size_t dimension = dimension_of(s.kind, vthreads_);
    const std::int64_t extent = *as_int(s.extent);
    if (s.kind == LoopKind::Vthread) ++vthreads_;
    Slot var = 0;
    const auto body = emitter_.level([&] {
      var = loop_variable(s, position, {0, extent - 1});
      compile_body(position);
    });
    if (s.kind == LoopKind::Vthread) --vthreads_;
    emitter_.emit({.run = bind_thread,
                   .dst = var,
                   .which = static_cast<std::int32_t>(dimension),
                   .value = length(body) + 1,
                   .limit = extent});
    emitter_.emit(body);
  }

  void compile_stmt(const Store& s, std::int32_t) { exprs_.compile_store(s.buffer, s.index, s.value); }

  // Shared memory belongs to the block: it is new when the block starts, not when a thread passes by.
  void compile_stmt(const Alloc& s, std::int32_t position) {
    const std::int32_t number = add_buffer(s.buffer);
    const bool is_shared = s.buffer->scope == Scope::Shared || s.buffer->scope == Scope::Warp;
    if (launch_) {
      Launch& launch = code_.launches[static_cast<std::size_t>(*launch_)];
      (is_shared ? launch.shared_buffers : launch.private_buffers).push_back(number);
    }
    if (!launch_ || !is_shared) emitter_.emit({.run = forget_contents, .which = number});
    compile_body(position);
  }

  void compile_stmt(const If& s, std::int32_t position) {
    const Slot condition = exprs_.compile(s.condition);
    const auto then_code = emitter_.branch([&] { compile_body(position); });
    const std::int32_t next = stmt(position).end;
    // An else behind the end of the body belongs to the If that the body is of.
    const bool has_else = next < body_end_ && stmt(next).as<Else>();
    emitter_.emit(
        {.run = jump_unless, .a = condition, .value = length(then_code) + (has_else ? 2 : 1)});
    emitter_.emit(then_code);
    if (!has_else) return;
    const auto else_code = emitter_.branch([&] { compile_body(next); });
    emitter_.emit({.run = jump, .value = length(else_code) + 1});
    emitter_.emit(else_code);
  }
  void compile_stmt(const Else&, std::int32_t) {}  // done with its If

  void compile_stmt(const Let& s, std::int32_t position) {
    const Slot value = exprs_.compile(s.value);
    const bool is_known = !is_float(s.value.type().scalar) && s.value.type().lanes == 1;
    const Interval range = is_known ? bounds(s.value, exprs_.ranges()) : Interval{};
    Slot var = 0;
    const auto body = emitter_.level([&] {
      var = emitter_.keep(s.var.type().lanes);
      exprs_.define(s.var, var, range);
      compile_body(position);
    });
    emitter_.emit({.run = copy_lanes, .dst = var, .a = value, .lanes = s.var.type().lanes});
    emitter_.emit(body);
  }

  void compile_stmt(const Barrier&, std::int32_t) { emitter_.emit({.run = stop}); }

  void compile_stmt(const Intrinsic& s, std::int32_t position) {
    const bool is_known =
        std::ranges::any_of(kIntrinsics, [&](const auto& known) { return known.first == s.name; });
    if (!is_known) fail(fmt::format("statement {}: unknown intrinsic {}", position, s.name));
  }

  const Program& program_;
  Code code_;
  Emitter emitter_;
  ExprCompiler exprs_{emitter_};
  std::optional<std::int32_t> launch_;
  std::size_t vthreads_ = 0;   // loops around
  std::int32_t body_end_ = 0;  // of the statements that are being compiled
};

}  // namespace

Code compile(const Program& program) { return ProgramCompiler(program).run(); }

}  // namespace hone::ir::bytecode
