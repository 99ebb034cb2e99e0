// Small buffers that are only ever indexed by constants live in registers.
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "lower/access.h"
#include "lower/passes.h"
#include "lower/rewriter.h"

namespace hone::lower {
namespace {

using ir::Expr;

class Registers : public Rewriter {
 public:
  Registers(const ir::Program& program, const target::Target& target)
      : Rewriter(program), max_groups_(static_cast<std::size_t>(max_held_vectors(target))) {
    collect();
  }

 protected:
  void statement(std::int32_t at) override {
    if (const auto* alloc = stmt(at).as<ir::Alloc>()) {
      const auto found = homes_.find(alloc->buffer.get());
      if (found == homes_.end()) return copy(at);
      std::vector<std::int32_t> opened;
      for (const auto& [lanes, buffer] : found->second.buffers)
        opened.push_back(writer.open(ir::Alloc{buffer}));
      body_of(at);
      for (auto i = opened.rbegin(); i != opened.rend(); ++i) writer.close(*i);
      return;
    }
    const auto* store = stmt(at).as<ir::Store>();
    const auto found = store ? homes_.find(store->buffer.get()) : homes_.end();
    if (found == homes_.end()) return copy(at);
    const auto [buffer, element] =
        found->second.place(*accesses_(store->buffer, store->index[0], true, ranges));
    writer.store(buffer, {Expr(element)}, map(store->value));
  }

  Expr map(const Expr& e) override {
    if (homes_.empty()) return e;
    return ir::rewrite(e, [this](const Expr& part) {
      const auto* load = part.as<ir::Load>();
      const auto found = load ? homes_.find(load->buffer.get()) : homes_.end();
      if (found == homes_.end()) return part;
      const auto [buffer, element] =
          found->second.place(*accesses_(load->buffer, load->index[0], false, ranges));
      return ir::load(buffer, {Expr(element)});
    });
  }

 private:
  // Where a buffer's element groups went: one register buffer for each vector length.
  struct Home {
    Groups groups;
    std::map<std::int32_t, ir::Buffer> buffers;  // lanes -> buffer
    std::vector<std::int64_t> element;           // group -> element of its buffer

    std::pair<ir::Buffer, std::int64_t> place(const Access& a) const {
      const int group = groups.find(a.first, a.lanes);
      check(group >= 0, "an access outside its buffer's groups");
      return {buffers.at(a.lanes), element[static_cast<std::size_t>(group)]};
    }
  };

  void collect() {
    std::unordered_map<const ir::BufferNode*, std::vector<Access>> accesses;  // of allocated buffers
    std::vector<ir::Buffer> allocated;
    for (const ir::Stmt& s : in.stmts) {
      const auto* alloc = s.as<ir::Alloc>();
      if (alloc && accesses.try_emplace(alloc->buffer.get()).second) allocated.push_back(alloc->buffer);
    }
    if (allocated.empty()) return;
    std::unordered_set<const ir::BufferNode*> in_reach;  // allocated since a parallel loop began
    const auto give_up = [&](const ir::Buffer& buffer) { accesses.erase(buffer.get()); };
    const auto note = [&](const ir::Buffer& buffer, const Expr& index, bool is_store) {
      const auto found = accesses.find(buffer.get());
      if (found == accesses.end()) return;
      const std::optional<Access>& a = accesses_(buffer, index, is_store, {});
      if (!a || !in_reach.contains(buffer.get())) return give_up(buffer);
      found->second.push_back(*a);
    };
    for (const ir::Stmt& s : in.stmts) {
      if (const auto* alloc = s.as<ir::Alloc>()) in_reach.insert(alloc->buffer.get());
      const auto* loop = s.as<ir::For>();
      if (loop && loop->kind == ir::LoopKind::Parallel) in_reach.clear();  // others run its body
      ir::map_exprs(s.kind, [&](const Expr& e) {
        ir::visit(e, [&](const Expr& part) {
          const auto* load = part.as<ir::Load>();
          if (load) note(load->buffer, load->index[0], false);
        });
        return e;
      });
      if (const auto* store = s.as<ir::Store>()) note(store->buffer, store->index[0], true);
      if (const auto* touched = s.as<ir::Intrinsic>()) {
        for (const ir::Region& region : touched->reads) give_up(region.buffer);
        for (const ir::Region& region : touched->writes) give_up(region.buffer);
      }
    }
    for (const ir::Buffer& buffer : allocated) settle(buffer, accesses[buffer.get()]);
  }

  void settle(const ir::Buffer& buffer, const std::vector<Access>& accesses) {
    if (accesses.empty() || !accesses.front().base.terms.empty() || buffer->scope == ir::Scope::Shared)
      return;
    const std::optional<Groups> groups = disjoint_groups(accesses);
    if (!groups || groups->groups.size() > max_groups_) return;
    Home home{*groups, {}, {}};
    std::map<std::int32_t, std::int64_t> count;
    for (const Groups::Group& group : groups->groups) home.element.push_back(count[group.lanes]++);
    for (const auto& [lanes, n] : count) {
      home.buffers[lanes] =
          ir::make_buffer(buffer->name, buffer->type.with_lanes(lanes), {n}, ir::Scope::Register);
    }
    homes_.emplace(buffer.get(), std::move(home));
  }

  std::size_t max_groups_;
  AccessCache accesses_;
  std::unordered_map<const ir::BufferNode*, Home> homes_;
};

}  // namespace

ir::Program registers(ir::Program program, const target::Target& target) {
  return Registers(program, target).run();
}

}  // namespace hone::lower
