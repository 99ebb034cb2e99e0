// A model made node by node, with weights that are drawn instead of trained.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace hone::model {

// A value of the model under construction.
struct Value {
  std::string name;
  Shape shape;
};

// How a weight's elements are drawn: evenly from mean - spread to mean + spread.
struct Draw {
  float mean = 0;
  float spread = 0;
};
Draw deviating(double deviation);  // around 0 with this standard deviation

using Attributes = std::map<std::string, Attribute>;

class Build {
 public:
  explicit Build(std::string model_name);

  Value input(const std::string& name, ir::Scalar type, Shape shape);
  // Float32. Elements depend on the weight's place among the model's weights, and on nothing else.
  Value weight(const std::string& name, Shape shape, Draw draw);
  Value constant(const std::string& name, Tensor tensor);
  // A node with one output, of the given shape.
  Value add(const std::string& op, const std::string& name, const std::vector<Value>& inputs,
            Shape shape, Attributes attributes = {});

  // The model, its weights drawn on all cores. Outputs are float32 and come with the names users see.
  Model finish(const std::vector<std::pair<std::string, Value>>& outputs) &&;

 private:
  struct Weight {
    std::string name;
    Shape shape;
    Draw draw;
  };

  void draw_weights();

  Model model_;
  std::vector<Weight> weights_;
};

Tensor int64_tensor(const std::vector<std::int64_t>& values);  // of rank 1
Tensor float_scalar(float value);

}  // namespace hone::model
