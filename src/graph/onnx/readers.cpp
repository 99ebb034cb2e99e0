#include "graph/onnx/readers.h"

#include <map>

#include "base/error.h"

namespace hone::graph::onnx {
namespace {

using Table = std::map<std::string_view, Reader>;

Table table_of(const Readers& readers) {
  Table table;
  for (const NamedReader& reader : readers)
    check(table.emplace(reader.op, reader.read).second, "an operator has one reader");
  return table;
}

}  // namespace

Readers onnx_readers() {
  Readers all;
  for (const Readers& family :
       {activations(), arithmetic(), comparisons(), constants(), control(), convolutions(), einsums(),
        gathers(), matmuls(), normalisations(), pools(), positions(), recurrences(), reductions(),
        resizes(), shapes(), slices(), softmaxes()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

Reader find_reader(std::string_view domain, std::string_view op) {
  static const Table kOnnx = table_of(onnx_readers());
  static const Table kMicrosoft = table_of(microsoft());
  const Table* table = domain.empty() ? &kOnnx : domain == "com.microsoft" ? &kMicrosoft : nullptr;
  if (table == nullptr) return nullptr;
  const auto at = table->find(op);
  return at == table->end() ? nullptr : at->second;
}

}  // namespace hone::graph::onnx
