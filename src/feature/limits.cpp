#include "feature/limits.h"

#include <algorithm>
#include <array>
#include <map>

namespace hone::feature {
namespace {

// One launch: all that stands inside one outermost loop over threads.
struct Kernel {
  std::int64_t shared_bytes = 0, local_bytes = 0;
  std::array<std::int64_t, 3> threads{};  // x, y, z; 0 while not known
  bool threads_differ = false;            // two loops over the same threads have different extents
  std::int64_t max_vthread = 1, max_vector_bytes = 0;
};

class KernelFinder {
 public:
  explicit KernelFinder(const LoopTree& tree) : tree_(tree) {}

  std::map<int, Kernel> run() {
    for (std::size_t l = 0; l < tree_.loops.size(); ++l) add_loop(static_cast<int>(l));
    for (const Allocation& allocation : tree_.allocations) add_allocation(allocation);
    for (const Store& store : tree_.stores) add_store(store);
    return std::move(kernels_);
  }

 private:
  const Loop& loop(int l) const { return tree_.loops[static_cast<std::size_t>(l)]; }
  int element_bytes(int t) const { return tree_.tensors[static_cast<std::size_t>(t)].element_bytes; }

  // The outermost loop over threads around and including `l`, -1 when there is none.
  int launch_of(int l) const {
    int launch = -1;
    for (; l >= 0; l = loop(l).parent) {
      if (ir::is_thread_loop(loop(l).kind)) launch = l;
    }
    return launch;
  }

  void add_loop(int l) {
    const ir::LoopKind kind = loop(l).kind;
    if (!ir::is_thread_loop(kind)) return;
    Kernel& kernel = kernels_[launch_of(l)];
    if (kind == ir::LoopKind::Vthread)
      kernel.max_vthread = std::max(kernel.max_vthread, loop(l).extent);
    if (kind == ir::LoopKind::Vthread || ir::is_block_loop(kind)) return;
    const int axis = kind == ir::LoopKind::ThreadX ? 0 : kind == ir::LoopKind::ThreadY ? 1 : 2;
    std::int64_t& threads = kernel.threads[static_cast<std::size_t>(axis)];
    kernel.threads_differ = kernel.threads_differ || (threads != 0 && threads != loop(l).extent);
    threads = std::max(threads, loop(l).extent);
  }

  void add_allocation(const Allocation& allocation) {
    const int launch = launch_of(allocation.loop);
    if (launch < 0) return;
    const std::int64_t bytes = allocation.elements * element_bytes(allocation.tensor);
    if (allocation.scope == ir::Scope::Shared) kernels_[launch].shared_bytes += bytes;
    if (allocation.scope != ir::Scope::Local) return;
    std::int64_t copies = 1;  // one thread runs all its virtual threads
    for (int l = allocation.loop; l >= 0; l = loop(l).parent) {
      if (loop(l).kind == ir::LoopKind::Vthread) copies *= loop(l).extent;
    }
    kernels_[launch].local_bytes += bytes * copies;
  }

  void add_store(const Store& store) {
    const int launch = launch_of(store.loop);
    if (launch < 0 || store.is_scalar) return;
    for (int l = store.loop; l >= 0; l = loop(l).parent) {
      if (loop(l).kind != ir::LoopKind::Vectorized) continue;
      std::int64_t& bytes = kernels_[launch].max_vector_bytes;
      bytes = std::max(bytes, loop(l).extent * element_bytes(store.tensor));
    }
  }

  const LoopTree& tree_;
  std::map<int, Kernel> kernels_;  // by the loop that launches
};

}  // namespace

std::optional<std::string_view> exceeded(const LoopTree& tree, const space::Hardware& hardware) {
  if (hardware.kind != space::Hardware::Kind::Gpu) return std::nullopt;
  for (const auto& [launch, kernel] : KernelFinder(tree).run()) {
    if (kernel.shared_bytes > hardware.max_shared_bytes) return "shared memory";
    if (kernel.local_bytes > hardware.max_local_bytes) return "local memory";
    std::int64_t threads = 1;
    for (const std::int64_t extent : kernel.threads) threads *= std::max<std::int64_t>(1, extent);
    if (threads > hardware.max_threads) return "threads";
    if (kernel.threads_differ) return "sizes of one block";
    if (kernel.max_vthread > hardware.max_vthread) return "virtual threads";
    if (kernel.max_vector_bytes > hardware.vector_bytes) return "vector lanes";
  }
  return std::nullopt;
}

}  // namespace hone::feature
