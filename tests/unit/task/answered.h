// A task with random inputs and its answer, to compare with loops written from its definition.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "task/catalogue.h"
#include "task/evaluate.h"

namespace hone::task {

using Indices = std::vector<std::int64_t>;

struct Array {
  Indices shape;
  std::vector<double> values;

  double& at(const Indices& index) {
    std::int64_t offset = 0;
    EXPECT_EQ(index.size(), shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) offset = offset * shape[d] + index[d];
    return values.at(static_cast<std::size_t>(offset));
  }
};

inline Array zeros(const Indices& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) elements *= extent;
  return {shape, std::vector<double>(static_cast<std::size_t>(elements), 0.0)};
}

// A task with random inputs, whole numbers where the type is an integer, and its answer.
struct Answered {
  Task task;
  std::vector<Array> inputs, outputs;

  Array& input(const std::string& name) {
    const std::vector<int> ops = task.placeholders();
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (task.ops[static_cast<std::size_t>(ops[i])].name() == name) return inputs[i];
    }
    throw std::out_of_range(name);
  }
  Array& output() { return outputs.front(); }
  void answer() {
    std::vector<std::vector<double>> values;
    for (const Array& input : inputs) values.push_back(input.values);
    const auto results = evaluate(task, values);
    outputs.clear();
    for (const int op : task.outputs()) {
      for (const ir::Buffer& buffer : task.ops[static_cast<std::size_t>(op)].outputs) {
        outputs.push_back({buffer->shape, results[outputs.size()]});
      }
    }
  }
};

inline Answered run(const std::string& text) {
  Answered r{from_op(text), {}, {}};
  std::mt19937 random(7);
  for (const int op : r.task.placeholders()) {
    const ir::Buffer& buffer = r.task.ops[static_cast<std::size_t>(op)].output();
    Array array = zeros(buffer->shape);
    for (double& value : array.values) {
      value = static_cast<double>(static_cast<int>(random() % 2001) - 1000) / 1000;
      if (ir::is_int(buffer->type.scalar)) value = std::trunc(value * 5);
      if (ir::is_unsigned_int(buffer->type.scalar)) value = std::fabs(value);
    }
    r.inputs.push_back(std::move(array));
  }
  r.answer();
  return r;
}

inline void expect_near(const Array& actual, const Array& expected, double tolerance = 1e-9) {
  ASSERT_EQ(actual.shape, expected.shape);
  for (std::size_t i = 0; i < actual.values.size(); ++i) {
    ASSERT_NEAR(actual.values[i], expected.values[i], tolerance * (1 + std::fabs(expected.values[i])))
        << "element " << i;
  }
}

}  // namespace hone::task
