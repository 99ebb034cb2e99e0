// Networks evaluated by their definitions, sharing no code with those under test.
#pragma once
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/random.h"
#include "graph/evaluate.h"
#include "score/network.h"
#include "score/tensors.h"

namespace hone::score {

using Rows = std::vector<std::vector<double>>;

// Runs graphs by their definition, a portion of rows at a time.
class Evaluated final : public DenseFunction {
 public:
  explicit Evaluated(graph::Graph graph) : graph_(std::move(graph)) {}

  void run(std::size_t n, std::span<const std::span<const float>> inputs,
           std::span<const std::span<float>> outputs) const override {
    const auto at_once = static_cast<std::size_t>(type(graph_.inputs[0]).shape[0]);
    for (std::size_t begin = 0; begin < n; begin += at_once) {
      const std::size_t count = std::min(at_once, n - begin);
      std::vector<model::Tensor> in;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        in.push_back(model::Tensor::zeros(ir::Scalar::F32, type(graph_.inputs[i]).shape));
        std::memcpy(in.back().writable().data(), &inputs[i][begin * row_size(graph_.inputs[i])],
                    count * row_size(graph_.inputs[i]) * sizeof(float));
      }
      const std::vector<model::Tensor> out = graph::evaluate(graph_, in);
      for (std::size_t i = 0; i < outputs.size(); ++i)
        std::memcpy(&outputs[i][begin * row_size(graph_.outputs[i])], out[i].bytes().data(),
                    count * row_size(graph_.outputs[i]) * sizeof(float));
    }
  }

 private:
  const graph::ValueType& type(graph::ValueId id) const {
    return graph_.values[static_cast<std::size_t>(id)].type;
  }
  std::size_t row_size(graph::ValueId id) const {
    return static_cast<std::size_t>(model::elements(type(id).shape) / type(id).shape[0]);
  }
  graph::Graph graph_;
};

inline std::unique_ptr<DenseFunction> evaluated(graph::Graph graph) {
  return std::make_unique<Evaluated>(std::move(graph));
}

// Named weights with random values, and the layers made of them in doubles.
class Weights {
 public:
  void linear(const std::string& name, int from, int to) {
    add(name + ".weight", {to, from}, 1 / std::sqrt(from));
    add(name + ".bias", {to}, 0.1);
  }
  void chain(const std::string& name, const std::vector<int>& widths) {
    for (std::size_t i = 0; i + 1 < widths.size(); ++i)
      linear(name + "." + std::to_string(i), widths[i], widths[i + 1]);
  }
  void add(const std::string& name, std::vector<std::int64_t> shape, double range) {
    NamedTensor tensor{name, std::move(shape), {}};
    std::int64_t n = 1;
    for (const std::int64_t extent : tensor.shape) n *= extent;
    for (std::int64_t i = 0; i < n; ++i) tensor.values.push_back(static_cast<float>(number(range)));
    places_[name] = tensors_.size();
    tensors_.push_back(std::move(tensor));
  }
  double number(double range) { return (2 * random_.unit() - 1) * range; }

  std::vector<double> apply(const std::string& name, const std::vector<double>& x) const {
    const NamedTensor& weight = at(name + ".weight");
    const NamedTensor& bias = at(name + ".bias");
    std::vector<double> y(bias.values.begin(), bias.values.end());
    for (std::size_t i = 0; i < y.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += weight.values[i * x.size() + j] * x[j];
    return y;
  }
  std::vector<double> apply_chain(const std::string& name, std::vector<double> x,
                                  bool relu_last) const {
    for (int i = 0; places_.contains(name + "." + std::to_string(i) + ".weight"); ++i) {
      x = apply(name + "." + std::to_string(i), x);
      const bool is_last = !places_.contains(name + "." + std::to_string(i + 1) + ".weight");
      if (!is_last || relu_last) relu(x);
    }
    return x;
  }
  std::vector<double> apply_blocks(const std::string& name, std::vector<double> x) const {
    for (int i = 0; places_.contains(name + "." + std::to_string(i) + ".weight"); ++i) {
      std::vector<double> y = apply(name + "." + std::to_string(i), x);
      relu(y);
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += y[j];
    }
    return x;
  }
  std::vector<double> normalise(const std::string& name, std::vector<double> x) const {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = (x[i] - at(name + ".shift").values[i]) * at(name + ".scale").values[i];
    return x;
  }
  // What an LSTM of `width` units says behind the last row.
  std::vector<double> apply_lstm(const std::string& name, const Rows& rows, std::size_t width) const {
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    std::vector<double> hidden(width), cell(width);
    for (const auto& row : rows) {
      std::vector<double> gates(4 * width);
      for (std::size_t g = 0; g < gates.size(); ++g) {
        gates[g] = value(name + ".bias_ih_l0", g) + value(name + ".bias_hh_l0", g);
        for (std::size_t j = 0; j < width; ++j)
          gates[g] += value(name + ".weight_ih_l0", g * width + j) * row[j] +
                      value(name + ".weight_hh_l0", g * width + j) * hidden[j];
      }
      for (std::size_t d = 0; d < width; ++d) {
        cell[d] =
            sigmoid(gates[width + d]) * cell[d] + sigmoid(gates[d]) * std::tanh(gates[2 * width + d]);
        hidden[d] = sigmoid(gates[3 * width + d]) * std::tanh(cell[d]);
      }
    }
    return hidden;
  }
  void add_lstm(const std::string& name, int width) {
    for (const char* of : {"ih", "hh"}) {
      add(name + ".weight_" + of + "_l0", {4 * width, width}, 0.5);
      add(name + ".bias_" + of + "_l0", {4 * width}, 0.3);
    }
  }
  static void relu(std::vector<double>& x) {
    for (double& value : x) value = std::max(0.0, value);
  }

  double value(const std::string& name, std::size_t i) const { return at(name).values[i]; }

  std::string print() const { return print_tensors(tensors_); }

 private:
  const NamedTensor& at(const std::string& name) const { return tensors_[places_.at(name)]; }

  Random random_{7, 0};
  std::vector<NamedTensor> tensors_;
  std::map<std::string, std::size_t> places_;
};

inline View random_view(Weights& weights, const std::string& name, std::size_t rows,
                        std::size_t columns) {
  View view{name, columns, {}};
  for (std::size_t i = 0; i < rows * columns; ++i)
    view.values.push_back(static_cast<float>(weights.number(1)));
  return view;
}

inline Rows rows_of(const View& view) {
  Rows rows;
  for (std::size_t i = 0; i < view.n_rows(); ++i)
    rows.emplace_back(view.values.begin() + static_cast<std::ptrdiff_t>(i * view.columns),
                      view.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * view.columns));
  return rows;
}

inline std::vector<double> sum_of(const Rows& rows, std::size_t width) {
  std::vector<double> sum(width);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < width; ++i) sum[i] += row[i];
  return sum;
}

// What a scorer is refused for.
inline std::string message_of(const ScorerFile& file) {
  try {
    make_network(file, evaluated);
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing";
}

// What the last layer read: a score is linear in it.
inline std::vector<double> hidden_of(const Prediction& prediction) {
  return {prediction.hidden.begin(), prediction.hidden.end()};
}

}  // namespace hone::score
