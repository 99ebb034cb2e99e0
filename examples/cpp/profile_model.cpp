// Where does a model spend its time? Runs it on zeros and prints the time of every step.
//
//   profile_model MODEL.hone [THREADS]
#include <hone/hone.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

namespace {

void check(hone_status status) {
  if (status != HONE_OK) throw std::runtime_error(hone_error());
}

struct Close {
  void operator()(hone_model* model) const { hone_close(model); }
};
using Model = std::unique_ptr<hone_model, Close>;

Model open(const char* path) {
  hone_model* model = nullptr;
  check(hone_open(path, &model));
  return Model(model);
}

struct Free {
  void operator()(std::byte* data) const { std::free(data); }
};
using Memory = std::unique_ptr<std::byte, Free>;

Memory zeros(std::size_t size) {
  const std::size_t padded = (size + 64) / 64 * 64;
  auto* data = static_cast<std::byte*>(std::aligned_alloc(64, padded));
  if (data == nullptr) throw std::bad_alloc();
  for (std::size_t i = 0; i < padded; ++i) data[i] = std::byte{0};
  return Memory(data);
}

void profile(const char* path, int threads) {
  constexpr int kRuns = 10;
  check(hone_set_threads(threads));
  const Model model = open(path);
  const hone_description about = hone_describe(model.get());
  std::vector<Memory> memory;
  std::vector<hone_in> inputs;
  std::vector<hone_out> outputs;
  hone_tensor tensor;
  for (std::size_t i = 0; i < about.inputs; ++i) {
    check(hone_input(model.get(), i, &tensor));
    memory.push_back(zeros(tensor.size_bytes));
    inputs.push_back({memory.back().get(), tensor.size_bytes});
  }
  for (std::size_t i = 0; i < about.outputs; ++i) {
    check(hone_output(model.get(), i, &tensor));
    memory.push_back(zeros(tensor.size_bytes));
    outputs.push_back({memory.back().get(), tensor.size_bytes});
  }
  std::vector<std::int64_t> step_ns(about.steps, 0);
  for (int run = 0; run < kRuns; ++run) {
    check(hone_profile(model.get(), inputs.data(), inputs.size(), outputs.data(), outputs.size(),
                       step_ns.data()));
  }
  std::printf("%d threads, tuned for %d\n", hone_threads(), about.tuned_threads);
  for (std::size_t i = 0; i < about.steps; ++i) {
    hone_step step;
    check(hone_step_at(model.get(), i, &step));
    const double ns = static_cast<double>(step_ns[i]) / kRuns;
    std::printf("%10.1f us %8.1f GFLOP/s %8.1f GB/s  %s  %s\n", ns / 1e3, ns > 0 ? step.flop / ns : 0.0,
                ns > 0 ? static_cast<double>(step.bytes) / ns : 0.0, step.kernel, step.label);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: profile_model MODEL.hone [THREADS]\n");
    return 1;
  }
  try {
    profile(argv[1], argc > 2 ? std::atoi(argv[2]) : 0);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
