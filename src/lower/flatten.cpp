// Every buffer becomes one dimension: an index is the element's offset, as a sum of products.
#include <unordered_map>

#include "lower/passes.h"
#include "lower/rewriter.h"

namespace hone::lower {
namespace {

using ir::Expr;

class Flatten : public Rewriter {
 public:
  explicit Flatten(const ir::Program& program) : Rewriter(program) {
    for (ir::Buffer& param : out.params) param = flat(param);
  }

 protected:
  void statement(std::int32_t at) override {
    if (const auto* alloc = stmt(at).as<ir::Alloc>()) {
      flat_.erase(alloc->buffer.get());  // copies of one body get a buffer each
      const std::int32_t opened = writer.open(ir::Alloc{flat(alloc->buffer)});
      body_of(at);
      return writer.close(opened);
    }
    const auto* store = stmt(at).as<ir::Store>();
    if (!store) return copy(at);
    std::vector<Expr> index;
    for (const Expr& i : store->index) index.push_back(map(i));
    writer.store(flat(store->buffer), {offset(*store->buffer, index)}, map(store->value));
  }

  Expr map(const Expr& e) override {
    return ir::rewrite(e, [this](const Expr& part) {
      const auto* load = part.as<ir::Load>();
      return load ? ir::load(flat(load->buffer), {offset(*load->buffer, load->index)}) : part;
    });
  }

 private:
  // `index` is flat already where it reads memory itself.
  Expr offset(const ir::BufferNode& buffer, const std::vector<Expr>& index) const {
    const std::vector<std::int64_t> strides = ir::strides_of(buffer);
    Expr sum = ir::int_imm(0);
    for (std::size_t d = 0; d < index.size(); ++d) sum = sum + index[d] * Expr(strides[d]);
    return ir::simplify(sum, ranges);
  }

  ir::Buffer flat(const ir::Buffer& buffer) {
    ir::Buffer& known = flat_[buffer.get()];
    if (!known)
      known = ir::make_buffer(buffer->name, buffer->type, {ir::span_elements(*buffer)}, buffer->scope);
    return known;
  }

  std::unordered_map<const ir::BufferNode*, ir::Buffer> flat_;
};

}  // namespace

ir::Program flatten(ir::Program program, const target::Target&) { return Flatten(program).run(); }

}  // namespace hone::lower
