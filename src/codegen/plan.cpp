#include "codegen/plan.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "codegen/loops.h"

namespace hone::codegen {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr std::int64_t kMaxStackBuffer = 16 << 10;
constexpr std::int64_t kMaxStack = 64 << 10;  // of one function; worker threads have small stacks

// One buffer in scratch: its bytes, and the statements over which they are its own.
struct Claim {
  const ir::BufferNode* buffer;
  std::int32_t first, last;
  std::int64_t offset_bytes, size_bytes;
};

std::int64_t aligned(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

bool touches(const ir::Stmt::Kind& kind, const ir::BufferNode* buffer) {
  bool found = false;
  const auto look = [&](const ir::Expr& e) {
    ir::visit(e, [&](const ir::Expr& part) {
      if (const auto* load = part.as<ir::Load>()) found |= load->buffer.get() == buffer;
    });
    return e;
  };
  ir::map_exprs(kind, look);
  if (const auto* store = std::get_if<ir::Store>(&kind)) found |= store->buffer.get() == buffer;
  if (const auto* intrinsic = std::get_if<ir::Intrinsic>(&kind)) {
    for (const auto& region : intrinsic->reads) found |= region.buffer.get() == buffer;
    for (const auto& region : intrinsic->writes) found |= region.buffer.get() == buffer;
  }
  return found;
}

class Planner {
 public:
  explicit Planner(const ir::Program& program) : stmts_(program.stmts) {}

  MemoryPlan run() {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(stmts_.size()); ++i) {
      while (!loops_.empty() && loops_.back() <= i) loops_.pop_back();
      if (const auto* loop = at(i).as<ir::For>()) {
        loops_.push_back(at(i).end);
        if (is_spread(*loop) && i >= parallel_end_) {
          parallel_end_ = at(i).end;
          stack_in_region_ = 0;
        }
      } else if (const auto* alloc = at(i).as<ir::Alloc>()) {
        place(*alloc->buffer, i);
      }
    }
    return std::move(plan_);
  }

 private:
  const ir::Stmt& at(std::int32_t i) const { return stmts_[static_cast<std::size_t>(i)]; }

  void place(const ir::BufferNode& buffer, std::int32_t position) {
    check(!plan_.placements.contains(&buffer), "a buffer is allocated once");
    Placement& placement = plan_.placements[&buffer];
    placement.size_bytes = aligned(ir::span_elements(buffer) * ir::size_bytes(buffer.type.scalar));
    if (buffer.scope == ir::Scope::Register) return;
    const bool in_parallel = position < parallel_end_;
    std::int64_t& stack = in_parallel ? stack_in_region_ : stack_at_root_;
    if (!loops_.empty() && placement.size_bytes <= kMaxStackBuffer &&
        stack + placement.size_bytes <= kMaxStack) {
      placement.storage = Storage::Stack;
      stack += placement.size_bytes;
      return;
    }
    placement.storage = in_parallel ? Storage::Thread : Storage::Shared;
    placement.offset_bytes = claim(buffer, position, placement.size_bytes, in_parallel);
  }

  // The lowest offset that no buffer has that is alive at the same time.
  std::int64_t claim(const ir::BufferNode& buffer, std::int32_t position, std::int64_t size_bytes,
                     bool in_parallel) {
    std::vector<Claim>& claims = in_parallel ? thread_ : shared_;
    std::int64_t& total = in_parallel ? plan_.thread_scratch_bytes : plan_.scratch_bytes;
    Claim mine = life(buffer, position);
    mine.size_bytes = size_bytes;
    for (const Claim& other : claims) {  // by offset, so one pass finds the first gap
      if (other.last < mine.first || mine.last < other.first) continue;
      if (mine.offset_bytes + size_bytes <= other.offset_bytes) break;
      mine.offset_bytes = std::max(mine.offset_bytes, other.offset_bytes + other.size_bytes);
    }
    total = std::max(total, mine.offset_bytes + size_bytes);
    claims.insert(std::ranges::upper_bound(claims, mine.offset_bytes, {}, &Claim::offset_bytes), mine);
    return mine.offset_bytes;
  }

  // From the first to the last use; a loop inside the buffer's body that uses it needs it all the time.
  Claim life(const ir::BufferNode& buffer, std::int32_t position) const {
    Claim claim{&buffer, at(position).end, position, 0, 0};
    for (std::int32_t i = position + 1; i < at(position).end;) {
      const bool is_loop = at(i).as<ir::For>() != nullptr;
      const std::int32_t next = is_loop ? at(i).end : i + 1;
      bool used = false;
      for (std::int32_t j = i; j < next && !used; ++j) used = touches(at(j).kind, &buffer);
      if (used) {
        claim.first = std::min(claim.first, i);
        claim.last = std::max(claim.last, next - 1);
      }
      i = next;
    }
    return claim;
  }

  const std::vector<ir::Stmt>& stmts_;
  MemoryPlan plan_;
  std::vector<Claim> shared_, thread_;
  std::vector<std::int32_t> loops_;  // ends of the loops around the current statement
  std::int32_t parallel_end_ = 0;    // end of the outermost parallel loop around it, or in the past
  std::int64_t stack_at_root_ = 0, stack_in_region_ = 0;
};

}  // namespace

bool MemoryPlan::may_overlap(const ir::BufferNode& a, const ir::BufferNode& b) const {
  if (&a == &b) return true;
  const auto first = placements.find(&a), second = placements.find(&b);
  if (first == placements.end() || second == placements.end()) return false;  // a parameter
  const Placement& x = first->second;
  const Placement& y = second->second;
  if (x.storage != y.storage || x.storage < Storage::Shared) return false;
  return x.offset_bytes < y.offset_bytes + y.size_bytes &&
         y.offset_bytes < x.offset_bytes + x.size_bytes;
}

MemoryPlan plan_memory(const ir::Program& program) { return Planner(program).run(); }

}  // namespace hone::codegen
