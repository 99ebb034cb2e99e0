#include "tune/dense_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "artefact/from_graph.h"
#include "artefact/on_pool.h"
#include "artefact/session.h"
#include "artefact/write.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "graph/passes.h"
#include "graph/print.h"
#include "record/hds/layout.h"
#include "tune/tune.h"

namespace hone::tune {
namespace {

std::size_t row_size(const artefact::TensorInfo& tensor) {
  return static_cast<std::size_t>(model::elements(tensor.shape) / tensor.shape[0]);
}

// Portions of rows go side by side, each on one thread: they need not meet before the end.
class CompiledDense final : public score::DenseFunction {
 public:
  CompiledDense(const std::string& path, int threads) : session_(path), threads_(threads) {}

  void side_by_side(std::size_t n, const std::function<void(std::size_t)>& work) const override {
    artefact::on_pool(n, threads_, work);
  }
  std::size_t threads() const override { return static_cast<std::size_t>(threads_); }

  void run(std::size_t n, std::span<const std::span<const float>> inputs,
           std::span<const std::span<float>> outputs) const override {
    check(inputs.size() == session_.inputs().size() && outputs.size() == session_.outputs().size(),
          "a network is called with other inputs or outputs than it has");
    const auto at_once = static_cast<std::size_t>(session_.inputs()[0].shape[0]);
    side_by_side((n + at_once - 1) / at_once, [&](std::size_t portion) {
      const std::size_t begin = portion * at_once;
      run_some(begin, std::min(at_once, n - begin), at_once, inputs, outputs);
    });
  }

 private:
  // Whole portions are worked on where they are, the rest in memory with room for a whole one.
  void run_some(std::size_t begin, std::size_t count, std::size_t at_once,
                std::span<const std::span<const float>> inputs,
                std::span<const std::span<float>> outputs) const {
    const bool is_whole = count == at_once;
    std::vector<std::vector<float>> copies;
    copies.reserve(inputs.size() + outputs.size());
    std::vector<hone_in> in;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::size_t size = row_size(session_.inputs()[i]);
      const float* from = inputs[i].data() + begin * size;
      if (!is_whole) {
        std::vector<float>& copy = copies.emplace_back(at_once * size);
        std::copy_n(from, count * size, copy.data());
        from = copy.data();
      }
      in.push_back({from, at_once * size * sizeof(float)});
    }
    std::vector<hone_out> out;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::size_t size = row_size(session_.outputs()[i]);
      float* to = outputs[i].data() + begin * size;
      if (!is_whole) to = copies.emplace_back(at_once * size).data();
      out.push_back({to, at_once * size * sizeof(float)});
    }
    session_.run(in, out);
    if (is_whole) return;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::size_t size = row_size(session_.outputs()[i]);
      std::copy_n(copies[inputs.size() + i].data(), count * size, outputs[i].data() + begin * size);
    }
  }

  artefact::Session session_;
  int threads_;
};

// Another graph, or code of another compiler or machine, must not be found under the same name. Graphs
// that differ in their weights alone are told apart by their number.
std::string file_name(const std::string& key, const target::Target& target, const graph::Graph& graph,
                      int number) {
  std::uint64_t hash = record::hds::kNoWords;
  for (const std::string& part : {key, target::to_string(target), compiler_name(), graph::print(graph)})
    hash = record::hds::hash_of(part, hash);
  return fmt::format("{:016x}-{}.hone", hash, number);
}

void compile(graph::Graph graph, const target::Target& target, const std::string& path) {
  artefact::write(artefact::build(artefact::from_graph(graph::run_passes(std::move(graph)),
                                                       {.target = target, .threads = target.cores})),
                  path);
}

}  // namespace

score::CompileDense dense_compiler(const DenseCompilerOptions& options) {
  std::shared_ptr<TemporaryFolder> temporary;
  std::filesystem::path folder = options.folder;
  if (folder.empty()) {
    temporary = std::make_shared<TemporaryFolder>();
    folder = temporary->path();
  }
  std::filesystem::create_directories(folder);
  target::Target target = options.target;
  target.cores = 1;
  return [folder, temporary, target, threads = options.target.cores, key = options.key,
          number = 0](graph::Graph graph) mutable -> std::unique_ptr<score::DenseFunction> {
    const std::string path = folder / file_name(key, target, graph, number++);
    if (!std::filesystem::exists(path)) compile(std::move(graph), target, path);
    return std::make_unique<CompiledDense>(path, threads);
  };
}

}  // namespace hone::tune
