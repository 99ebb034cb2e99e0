#include "graph/onnx/readers.h"

#include <map>

#include "base/error.h"

namespace hone::graph::onnx {
namespace {

using Table = std::map<std::string_view, Reader>;

Table table_of(const std::vector<Readers>& families) {
  Table table;
  for (const Readers& family : families) {
    for (const NamedReader& reader : family)
      check(table.emplace(reader.op, reader.read).second, "an operator has one reader");
  }
  return table;
}

}  // namespace

Reader find_reader(std::string_view domain, std::string_view op) {
  static const Table kOnnx =
      table_of({activations(), arithmetic(), comparisons(), constants(), control(), convolutions(),
                einsums(), gathers(), matmuls(), normalisations(), pools(), positions(), recurrences(),
                reductions(), resizes(), shapes(), slices(), softmaxes()});
  static const Table kMicrosoft = table_of({microsoft()});
  const Table* table = domain.empty() ? &kOnnx : domain == "com.microsoft" ? &kMicrosoft : nullptr;
  if (table == nullptr) return nullptr;
  const auto at = table->find(op);
  return at == table->end() ? nullptr : at->second;
}

}  // namespace hone::graph::onnx
