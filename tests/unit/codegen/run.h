// Runs kernels inside the test program and compares them with the interpreter.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codegen/kernel.h"
#include "ir/interpret.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/pool.h"

namespace hone::codegen {

// Targets whose code this machine runs.
inline std::vector<target::Target> runnable_targets() {
  std::vector<target::Target> targets = {target::host()};
  if (targets[0].arch == target::Arch::X86_64) {
    targets.push_back(target::parse("avx2"));
    if (targets[0].vector_bits == 512) targets.push_back(target::parse("avx512"));
  }
  return targets;
}

// Calls the kernel on the tensors' memory, with buffers between guard pages.
inline void run_kernel(const Kernel& kernel, std::span<std::vector<std::byte>> buffers,
                       int threads = 1) {
  const runtime::Image image(kernel.image);
  ASSERT_FALSE(image.empty());
  runtime::Pool pool({.threads = threads});
  const hone_table table = pool.table();
  std::vector<runtime::GuardedBuffer> guarded;
  std::vector<void*> pointers;
  for (const auto& buffer : buffers) {
    guarded.emplace_back(buffer.size());
    std::memcpy(guarded.back().data(), buffer.data(), buffer.size());
    pointers.push_back(guarded.back().data());
  }
  const runtime::GuardedBuffer scratch(
      static_cast<std::size_t>(kernel.scratch_bytes + pool.threads() * kernel.thread_scratch_bytes) +
      1);
  const hone_call call{pointers.data(), scratch.data(), &table};
  image.entry(kernel.entry)(&call);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::memcpy(buffers[i].data(), guarded[i].data(), buffers[i].size());
    EXPECT_EQ(guarded[i].damage(), runtime::Damage::None) << kernel.parameters[i].name;
  }
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
