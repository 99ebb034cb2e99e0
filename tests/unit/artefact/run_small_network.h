// A small network opened through the C API, for tests.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "artefact/write.h"
#include "runtime/hone.h"
#include "tests/shared_data.h"
#include "tests/unit/artefact/small_network.h"

namespace hone::artefact {

struct Close {
  void operator()(hone_model* model) const { hone_close(model); }
};
using ModelPointer = std::unique_ptr<hone_model, Close>;

inline ModelPointer open(const std::string& path) {
  hone_model* model = nullptr;
  EXPECT_EQ(hone_open(path.c_str(), &model), HONE_OK) << hone_error();
  return ModelPointer(model);
}

inline std::string write_small_network(int threads = 2) {
  std::string path = temporary_file("small.hone");
  write(build(SmallNetwork().artefact(target::host(), threads)), path);
  return path;
}

template <class T>
hone_out out_of(std::vector<T>& values) {
  return {values.data(), values.size() * sizeof(T)};
}

inline SmallNetwork::Answer run(hone_model* model, const std::vector<float>& x,
                                std::vector<std::int64_t>* step_ns = nullptr) {
  SmallNetwork::Answer out;
  const hone_in in = {x.data(), x.size() * sizeof(float)};
  const hone_out outs[] = {out_of(out.y), out_of(out.z), out_of(out.best), out_of(out.places)};
  const hone_status status = step_ns == nullptr ? hone_run(model, &in, 1, outs, 4)
                                                : hone_profile(model, &in, 1, outs, 4, step_ns->data());
  EXPECT_EQ(status, HONE_OK) << hone_error();
  return out;
}

inline void expect_near(const SmallNetwork::Answer& a, const SmallNetwork::Answer& b) {
  for (std::size_t i = 0; i < a.y.size(); ++i) ASSERT_NEAR(a.y[i], b.y[i], 1e-5) << i;
  for (std::size_t i = 0; i < a.z.size(); ++i) ASSERT_NEAR(a.z[i], b.z[i], 1e-4) << i;
  for (std::size_t i = 0; i < a.best.size(); ++i) ASSERT_NEAR(a.best[i], b.best[i], 1e-4) << i;
  EXPECT_EQ(a.places, b.places);
}

}  // namespace hone::artefact
