// A network made by hand, with one of everything that a program can hold, and its answers by
// definition.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "artefact/artefact.h"
#include "base/random.h"
#include "codegen/compile.h"
#include "codegen/version.h"
#include "space/tiling.h"
#include "task/analysis.h"
#include "task/catalogue.h"

namespace hone::artefact {

inline codegen::Kernel untuned(const std::string& op, const target::Target& target, int threads) {
  const auto task = std::make_shared<const task::Task>(task::from_op(op));
  const auto roles = space::structure(*task, task::analyse(*task));
  const auto choice = space::analytic_choice(*task, roles, target, threads);
  return codegen::compile(task, space::steps_for(*task, roles, choice), target);
}

// x [8, 20] -> relu(x W0' + b) -> tanh (in place) -> W1' is the first half of y [2, 8, 10]; the other
// half is its copy. z[i] = z[i - 1] + y[0, i] in a loop, over slices that lie at odd addresses. The
// best 3 of each z[i] are `best` and `places`.
struct SmallNetwork {
  static constexpr std::int64_t kRows = 8, kIn = 20, kHidden = 48, kOut = 10, kBest = 3;
  std::vector<float> w0, b, w1;

  SmallNetwork() : w0(values(1, kHidden * kIn)), b(values(2, kHidden)), w1(values(3, kOut * kHidden)) {}

  static std::vector<float> values(std::uint64_t stream, std::int64_t count) {
    Random random(1, stream);
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& value : out) value = static_cast<float>(random.unit() * 2 - 1);
    return out;
  }
  static std::vector<float> input(std::uint64_t stream = 0) {
    return values(100 + stream, kRows * kIn);
  }

  struct Answer {
    std::vector<float> y = std::vector<float>(2 * kRows * kOut), z = std::vector<float>(kRows * kOut),
                       best = std::vector<float>(kRows * kBest);
    std::vector<std::int64_t> places = std::vector<std::int64_t>(kRows * kBest);
  };

  Answer answer(const std::vector<float>& x) const {
    Answer out;
    for (std::int64_t i = 0; i < kRows; ++i) {
      std::vector<double> hidden;
      for (std::int64_t j = 0; j < kHidden; ++j) {
        double sum = b[static_cast<std::size_t>(j)];
        for (std::int64_t k = 0; k < kIn; ++k) sum += at(x, i * kIn + k) * at(w0, j * kIn + k);
        hidden.push_back(std::tanh(std::max(sum, 0.0)));
      }
      for (std::int64_t j = 0; j < kOut; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < kHidden; ++k) {
          sum += hidden[static_cast<std::size_t>(k)] * at(w1, j * kHidden + k);
        }
        const auto here = static_cast<std::size_t>(i * kOut + j);
        out.y[here] = out.y[here + kRows * kOut] = static_cast<float>(sum);
        out.z[here] = out.y[here] + (i > 0 ? out.z[here - kOut] : 0);
      }
    }
    add_best(out);
    return out;
  }

  Variant variant(const target::Target& target, int threads) const {
    Variant out{target, threads, {}, {}};
    for (const std::string op : {"dense:m=8,n=48,k=20+bias+relu", "elementwise:n=384,fn=tanh",
                                 "dense:m=8,n=10,k=48", "elementwise:n=10,fn=add"}) {
      out.kernels.push_back({untuned(op, target, threads), ""});
    }
    out.kernels[0].record = R"({"i": "a record's line"})";
    out.program = program();
    return out;
  }

  Artefact artefact(const target::Target& target, int threads) const {
    return {"small", "0123", codegen::compiler_version(), 1e-4, {variant(target, threads)}};
  }

 private:
  static double at(const std::vector<float>& values, std::int64_t i) {
    return values[static_cast<std::size_t>(i)];
  }
  static model::Tensor tensor(const std::vector<float>& values, model::Shape shape) {
    model::Tensor out = model::Tensor::zeros(ir::Scalar::F32, std::move(shape));
    std::ranges::copy(std::as_bytes(std::span(values)), out.writable().begin());
    return out;
  }

  static void add_best(Answer& out) {
    for (std::int64_t i = 0; i < kRows; ++i) {
      std::array<std::int64_t, kOut> order{};
      for (std::int64_t j = 0; j < kOut; ++j) order[static_cast<std::size_t>(j)] = j;
      std::ranges::stable_sort(order, std::greater(),
                               [&](std::int64_t j) { return at(out.z, i * kOut + j); });
      for (std::size_t k = 0; k < kBest; ++k) {
        const std::size_t slot = static_cast<std::size_t>(i * kBest) + k;
        out.places[slot] = order[k];
        out.best[slot] = static_cast<float>(at(out.z, i * kOut + order[k]));
      }
    }
  }

  Program program() const {
    constexpr std::int64_t kHalf = kRows * kOut * 4, kRow = kOut * 4;
    using enum ir::Scalar;
    Program p;
    const BufferId x = p.add_input("x", F32, {kRows, kIn});
    const BufferId y = p.add_output("y", F32, {2, kRows, kOut});
    const BufferId z = p.add_output("z", F32, {kRows, kOut});
    const BufferId best = p.add_output("best", F32, {kRows, kBest});
    const BufferId places = p.add_output("places", I64, {kRows, kBest});
    const BufferId weight0 = p.add_weight("W0", tensor(w0, {kHidden, kIn}));
    const BufferId bias = p.add_weight("b", tensor(b, {kHidden}));
    const BufferId weight1 = p.add_weight("W1", tensor(w1, {kOut, kHidden}));
    const BufferId zeros = p.add_weight("zeros", model::Tensor::zeros(F32, {kOut}));
    const BufferId hidden = p.add_temporary("hidden", kRows * kHidden * 4);
    const BufferId squashed = p.add_temporary("squashed", kRows * kHidden * 4);
    const BufferId half = p.add_view("half", y, 0, kHalf);
    const BufferId other = p.add_view("other", y, kHalf, kHalf);
    const BufferId state = p.add_temporary("state", kRow), next = p.add_temporary("next", kRow);
    p.steps = {
        {"/dense0", KernelCall{0, {{x}, {weight0}, {bias}}, {{hidden}}}, 2.0 * kRows * kIn * kHidden},
        {"/tanh", KernelCall{1, {{hidden}}, {{squashed}}, {{0, 0}}}},
        {"/dense1", KernelCall{2, {{squashed}, {weight1}}, {{half}}}, 2.0 * kRows * kHidden * kOut},
        {"/copy", Copy{{half}, {other}, kRows, kRow, kRow, kRow}},
        {"/init", Copy{{zeros}, {state}, 1, kRow}},
        {"/loop", Loop{kRows, 3}},
        {"/add", KernelCall{3, {{state}, {half, 0, kRow}}, {{next}}}},
        {"/carry", Copy{{next}, {state}, 1, kRow}},
        {"/stack", Copy{{next}, {z, 0, kRow}, 1, kRow}},
        {"/topk", TopK{{z}, {best}, {places}, kRows, kOut, 1, kBest}},
    };
    return p;
  }
};

}  // namespace hone::artefact
