#include "feature/embedding.h"

#include "task/text.h"

namespace hone::feature {

Embedding embedding(std::string_view dag_text) {
  Embedding flags{};
  for (std::size_t i = 0; i < flags.size(); ++i)
    flags[i] = dag_text.find(kEmbeddingTexts[i]) != std::string_view::npos ? 1 : 0;
  return flags;
}

Embedding embedding(const task::Task& task) { return embedding(task::print_as_tvm(task)); }

}  // namespace hone::feature
