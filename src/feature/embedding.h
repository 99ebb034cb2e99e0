// TenSet's workload embedding: which of nine kinds of computation a task's text speaks of.
#pragma once
#include <array>
#include <string_view>

#include "task/task.h"

namespace hone::feature {

inline constexpr int kEmbeddingVersion = 1;
// The texts that are looked for, as TVM prints them; each gives a flag.
inline constexpr std::array<std::string_view, 9> kEmbeddingTexts = {"max",
                                                                    "min",
                                                                    "add",
                                                                    "Conv2dOutput",
                                                                    "conv2d_winograd",
                                                                    "DepthwiseConv2d",
                                                                    "dense",
                                                                    "softmax",
                                                                    "compute(b, i, j)"};
using Embedding = std::array<float, kEmbeddingTexts.size()>;

Embedding embedding(std::string_view dag_text);
Embedding embedding(const task::Task& task);  // of its text

}  // namespace hone::feature
