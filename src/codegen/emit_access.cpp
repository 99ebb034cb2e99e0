// Loads and stores: addresses, lanes, register slots.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "codegen/access.h"
#include "codegen/emit.h"

namespace hone::codegen {

using llvm::Value;

namespace {

constexpr std::int64_t kPlannedAlignment = 64;  // of every buffer that our plan places
constexpr std::int64_t kMaxShuffledStride = 4;

// Parameters are promised to be aligned to their elements only (kernel_abi.h): they may be slices.
std::int64_t base_alignment(const ir::Program& program, const ir::BufferNode& buffer) {
  const bool is_parameter = std::ranges::any_of(
      program.params, [&](const ir::Buffer& param) { return param.get() == &buffer; });
  return is_parameter ? ir::size_bytes(buffer.type.scalar) : kPlannedAlignment;
}

llvm::Align alignment(std::int64_t base, const ir::Linear& offset, int element_bytes) {
  std::int64_t common = std::gcd(base, offset.constant * element_bytes);
  for (const ir::Linear::Term& term : offset.terms) {
    common = std::gcd(common, term.coefficient * element_bytes);
  }
  return llvm::Align(static_cast<std::uint64_t>(common));
}

}  // namespace

// The terms of each scope are added where the scope begins, outermost first, so that an access in an
// inner loop only adds its own variable and a constant. The sums are plain, not inbounds: a part of an
// offset may lie outside the buffer.
FunctionEmitter::Address FunctionEmitter::address(const ir::BufferNode& buffer,
                                                  const ir::Linear& offset) {
  const auto base = pointers_.find(&buffer);
  if (base == pointers_.end()) fail(fmt::format("buffer {} is not known here", buffer.name));
  llvm::Type* element = memory_type(module_.context, buffer.type);
  std::map<std::size_t, Terms> by_scope;
  for (const ir::Linear::Term& term : offset.terms) {
    by_scope[scope_of(term.atom).value_or(kFixed)].emplace_back(value(term.atom), term.coefficient);
  }
  Value* pointer = base->second;
  for (auto& [scope, terms] : by_scope) {
    std::ranges::sort(terms);
    pointer = pointer_at(scope, pointer, element, terms);
  }
  if (offset.constant != 0) {
    pointer = b_.CreateGEP(element, pointer, b_.getInt64(static_cast<std::uint64_t>(offset.constant)));
  }
  return {pointer, alignment(base_alignment(module_.program, buffer), offset,
                             ir::size_bytes(buffer.type.scalar))};
}

Value* FunctionEmitter::pointer_at(std::size_t scope, Value* base, llvm::Type* element,
                                   const Terms& terms) {
  const Builder::InsertPointGuard guard(b_);
  Value** known = nullptr;
  if (scope != kFixed) {
    known = &scopes_[scope].pointers[{base, terms}];
    if (*known != nullptr) return *known;
    b_.SetInsertPoint(scopes_[scope].end);
  }
  Value* sum = nullptr;
  for (const auto& [factor, coefficient] : terms) {
    Value* part = coefficient == 1
                      ? factor
                      : b_.CreateNSWMul(factor, b_.getInt64(static_cast<std::uint64_t>(coefficient)));
    sum = sum == nullptr ? part : b_.CreateNSWAdd(sum, part);
  }
  Value* pointer = b_.CreateGEP(element, base, sum);
  if (known != nullptr) *known = pointer;
  return pointer;
}

Value* FunctionEmitter::register_slot(const ir::BufferNode& buffer,
                                      const std::vector<ir::Expr>& index) {
  const auto slots = registers_.find(&buffer);
  if (slots == registers_.end()) fail(fmt::format("register buffer {} is not known here", buffer.name));
  const auto access = find_access(buffer, index, ranges_);
  if (!access || !access->offset.terms.empty() || access->lane_stride != 0) {
    fail(fmt::format("register buffer {} is indexed by constants only", buffer.name));
  }
  const std::int64_t element = access->offset.constant;
  check(element >= 0 && element < std::ssize(slots->second), "a register index lies inside its buffer");
  return slots->second[static_cast<std::size_t>(element)];
}

Value* FunctionEmitter::load_at(const ir::BufferNode& buffer, const ir::Linear& offset, ir::Type type) {
  const auto [pointer, align] = address(buffer, offset);
  llvm::LoadInst* load = b_.CreateAlignedLoad(memory_type(module_.context, type), pointer, align);
  module_.mark(load, buffer);
  return from_memory(b_, type, load);
}

void FunctionEmitter::store_at(const ir::BufferNode& buffer, const ir::Linear& offset, ir::Type type,
                               Value* element) {
  const auto [pointer, align] = address(buffer, offset);
  module_.mark(b_.CreateAlignedStore(to_memory(b_, type, element), pointer, align), buffer);
}

Value* FunctionEmitter::load_value(const ir::Expr& e, const ir::Load& n) {
  const ir::BufferNode& buffer = *n.buffer;
  if (buffer.scope == ir::Scope::Register) {
    return b_.CreateLoad(value_type(module_.context, buffer.type), register_slot(buffer, n.index));
  }
  const auto access = find_access(buffer, n.index, ranges_);
  if (!access) return lane_by_lane(e);
  const int lanes = e.type().lanes;
  if (lanes == 1 || access->lane_stride == 1) return load_at(buffer, access->offset, e.type());
  if (access->lane_stride == 0) {
    return b_.CreateVectorSplat(static_cast<unsigned>(lanes),
                                load_at(buffer, access->offset, buffer.type));
  }
  if (access->lane_stride > 1 && access->lane_stride <= kMaxShuffledStride) {
    return strided_load(buffer, *access, e.type());
  }
  Value* result = llvm::PoisonValue::get(value_type(module_.context, e.type()));
  for (int lane = 0; lane < lanes; ++lane) {
    Value* element = load_at(buffer, shifted(access->offset, lane * access->lane_stride), buffer.type);
    result = b_.CreateInsertElement(result, element, static_cast<std::uint64_t>(lane));
  }
  return result;
}

// Elements at a small distance: whole vectors over the span, the last one moved back to end with it,
// and shuffles that pick the lanes.
Value* FunctionEmitter::strided_load(const ir::BufferNode& buffer, const Access& access,
                                     ir::Type type) {
  const std::int64_t lanes = type.lanes;
  const std::int64_t span = (lanes - 1) * access.lane_stride + 1;
  Value* result = llvm::PoisonValue::get(value_type(module_.context, type));
  std::int64_t found = 0;  // lanes that the result has already
  for (std::int64_t start = 0; found < lanes; start += lanes) {
    const std::int64_t first = std::min(start, span - lanes);
    std::vector<int> mask;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t element = lane * access.lane_stride - first;
      const bool here = lane >= found && element < lanes;
      mask.push_back(static_cast<int>(here ? lanes + element : lane));
    }
    found = (first + lanes - 1) / access.lane_stride + 1;
    result = b_.CreateShuffleVector(result, load_at(buffer, shifted(access.offset, first), type), mask);
  }
  return result;
}

void FunctionEmitter::store(const ir::Store& n) {
  const ir::BufferNode& buffer = *n.buffer;
  Value* stored = value(n.value);
  if (buffer.scope == ir::Scope::Register) {
    check(n.value.type() == buffer.type, "a register element is stored whole");
    b_.CreateStore(stored, register_slot(buffer, n.index));
    return;
  }
  const ir::Type type = n.value.type();
  check(type.scalar == buffer.type.scalar, "a store has the buffer's element type");
  const auto access = find_access(buffer, n.index, ranges_);
  if (access && (type.lanes == 1 || access->lane_stride == 1)) {
    store_at(buffer, access->offset, type, stored);
    return;
  }
  for (int lane = 0; lane < type.lanes; ++lane) {
    Value* element = b_.CreateExtractElement(stored, static_cast<std::uint64_t>(lane));
    if (access) {
      store_at(buffer, shifted(access->offset, lane * access->lane_stride), type.element(), element);
    } else {
      store_lane(n, lane, element);
    }
  }
}

// A lane whose place follows no rule.
void FunctionEmitter::store_lane(const ir::Store& n, int lane, Value* element) {
  std::vector<ir::Expr> index;
  for (const ir::Expr& i : n.index)
    index.push_back(lane_of(i, lane, [&](const ir::Expr& v, int l) { return extract(v, l); }));
  const auto access = find_access(*n.buffer, index, ranges_);
  check(access.has_value(), "a scalar index has a place");
  store_at(*n.buffer, access->offset, n.value.type().element(), element);
}

}  // namespace hone::codegen
