// Runs kernels inside the test program and compares them with the interpreter.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "codegen/kernel.h"
#include "ir/interpret.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/pool.h"

namespace hone::codegen {

using Build = Kernel (*)(const ir::Program&, const target::Target&);

// Targets whose code this machine runs.
inline std::vector<target::Target> runnable_targets() {
  std::vector<target::Target> targets = {target::host()};
  if (targets[0].arch == target::Arch::X86_64) {
    targets.push_back(target::parse("avx2"));
    if (targets[0].vector_bits == 512) targets.push_back(target::parse("avx512"));
  }
  return targets;
}

// Calls the kernel on copies of the buffers that lie between guard pages, and copies them back.
inline void run_kernel(const Kernel& kernel, std::span<std::vector<std::byte>*> buffers,
                       int threads = 1) {
  const runtime::Image image(kernel.image);
  ASSERT_FALSE(image.empty());
  runtime::Pool pool({.threads = threads});
  const hone_table table = pool.table();
  std::vector<runtime::GuardedBuffer> guarded;
  std::vector<void*> pointers;
  for (const auto* buffer : buffers) {
    guarded.emplace_back(buffer->size());
    std::memcpy(guarded.back().data(), buffer->data(), buffer->size());
    pointers.push_back(guarded.back().data());
  }
  const auto scratch_bytes = kernel.scratch_bytes + pool.threads() * kernel.thread_scratch_bytes;
  const runtime::GuardedBuffer scratch(
      static_cast<std::size_t>(std::max<std::int64_t>(scratch_bytes, 1)));
  const hone_call call{pointers.data(), scratch.data(), &table};
  image.entry(kernel.entry)(&call);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::memcpy(buffers[i]->data(), guarded[i].data(), buffers[i]->size());
    EXPECT_EQ(guarded[i].damage(), runtime::Damage::None) << kernel.parameters[i].name;
  }
  EXPECT_EQ(scratch.damage(), runtime::Damage::None);
}

// Numbers that every type holds: small, of both signs where there are two.
inline ir::Tensor random_tensor(const ir::Buffer& buffer, std::mt19937& random) {
  ir::Tensor tensor = ir::make_tensor(buffer);
  const ir::Scalar scalar = buffer->type.scalar;
  for (std::int64_t i = 0; i < ir::span_elements(*buffer); ++i) {
    const auto number = static_cast<int>(random() % 41);  // 0 .. 40
    double value = number;
    if (scalar == ir::Scalar::Bool) value = number % 2;
    if (ir::is_signed_int(scalar)) value = number - 20;
    if (ir::is_float(scalar)) value = (number - 20) * 0.125 + static_cast<double>(random() % 64) / 1024;
    ir::set(tensor, i, value);
  }
  return tensor;
}

// How far a result may lie from the interpreter's, for values around one.
inline double tolerance(ir::Scalar scalar) {
  switch (scalar) {
    case ir::Scalar::F16:
      return 4e-3;
    case ir::Scalar::BF16:
      return 3e-2;
    case ir::Scalar::F32:
      return 2e-5;
    case ir::Scalar::F64:
      return 1e-12;
    default:
      return 0;
  }
}

// Runs a kernel somewhere, on these buffers.
using Runner = std::function<void(const Kernel&, std::span<std::vector<std::byte>*>)>;

// Both on the same random inputs; every element of every buffer is compared.
inline void expect_as_interpreted(const ir::Program& program, const Kernel& kernel, const Runner& run) {
  std::mt19937 random(1);
  std::vector<ir::Tensor> want;
  for (const ir::Buffer& param : program.params) want.push_back(random_tensor(param, random));
  std::vector<ir::Tensor> got = want;
  ir::interpret(program, want);
  std::vector<std::vector<std::byte>*> buffers;
  for (ir::Tensor& tensor : got) buffers.push_back(&tensor.data);
  run(kernel, buffers);
  for (std::size_t p = 0; p < want.size(); ++p) {
    for (std::int64_t i = 0; i < ir::span_elements(*program.params[p]); ++i) {
      const double expected = ir::get(want[p], i), actual = ir::get(got[p], i);
      if (std::isnan(expected) && std::isnan(actual)) continue;
      if (expected == actual) continue;
      const double allowed =
          tolerance(program.params[p]->type.scalar) * std::max(1.0, std::abs(expected));
      ASSERT_NEAR(actual, expected, allowed)
          << program.params[p]->name << '[' << i << "] of " << program.name;
    }
  }
}

inline void expect_as_interpreted(const ir::Program& program, const Kernel& kernel, int threads = 1) {
  expect_as_interpreted(program, kernel,
                        [&](const Kernel& k, auto buffers) { run_kernel(k, buffers, threads); });
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace hone::codegen
