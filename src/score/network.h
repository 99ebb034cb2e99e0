// Networks that hone-train trained, as they are in use: frozen, and without libtorch.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "score/dense.h"
#include "score/model.h"
#include "score/scorer_file.h"

namespace hone::score {

// Networks that were taught an order say it on any scale. Their scores are powers of e of what they
// say: positive, as those of other models are, and in the same order.

// Reads some views of a sample.
class Network : public Predictor {
 public:
  const std::vector<std::string>& views() const { return views_; }  // without versions

 protected:
  explicit Network(std::vector<std::string> views) : views_(std::move(views)) {}

 private:
  std::vector<std::string> views_;
};

// The rows of that name; UserError when the sample has none.
const View& view_of(const Sample& sample, std::string_view name);
// Whether the file says it; what came later is not in the files that were made before.
bool has_option(const ModelHeader& header, std::string_view name);
// What the network was trained with; UserError when the file does not say it.
const std::string& option_of(const ModelHeader& header, std::string_view name);
std::int64_t whole_option(const ModelHeader& header, std::string_view name);  // positive
double number_option(const ModelHeader& header, std::string_view name);

const std::vector<std::string>& network_kinds();  // tlp, tenset-mlp, hone, ...
// The network of a file. Throws UserError when the kind is none of these, or when its weights are not
// those of such a network. With `tells_hidden` its predictions say what the last layer read.
std::unique_ptr<Network> make_network(const ScorerFile& file, const CompileDense& compile,
                                      bool tells_hidden = false);

}  // namespace hone::score
