// Winograd convolution F(m x m, 3 x 3), channels last, with the weight already transformed.
#include "task/winograd.h"

#include "task/ops/image.h"

namespace hone::task::ops {
namespace {

constexpr int kTaps = 3;

struct Problem {
  std::int64_t n, ci, h, w, co, padding, tile;
  std::int64_t out_h, out_w;      // of the convolution
  std::int64_t tiles_h, tiles_w;  // that cover the output; the last ones may reach over its edge
  std::int64_t tiles() const { return n * tiles_h * tiles_w; }
  std::int64_t transformed() const { return tile + kTaps - 1; }
};

Problem problem_of(const Arguments& args) {
  const Window rows{"y", args["h"], kTaps, 1, args["p"], args["p"], 1},
      columns{"x", args["w"], kTaps, 1, args["p"], args["p"], 1};
  check_fit(args, {rows, columns});
  Problem p{args["n"], args["ci"],    args["h"],        args["w"], args["co"], args["p"],
            args["m"], rows.output(), columns.output(), 0,         0};
  p.tiles_h = (p.out_h + p.tile - 1) / p.tile;
  p.tiles_w = (p.out_w + p.tile - 1) / p.tile;
  return p;
}

// A matrix of constants as a computed tensor, which schedules inline and unrolling then folds.
ir::Buffer constant_matrix(Draft& draft, const std::string& name, const Matrix& values) {
  const Axis i = axis("i", static_cast<std::int64_t>(values.size()));
  const Axis j = axis("j", static_cast<std::int64_t>(values.front().size()));
  const ir::Expr body = look_up(values, i.var, j.var, arithmetic(draft.type()));
  Hints hints;
  hints.const_matrix = true;
  return draft.compute(name, {i, j}, body, hints);
}

// The padded input cut into overlapping tiles: [eps, nu, tile, ci].
ir::Buffer input_tiles(Draft& draft, const Problem& p) {
  const Axes dims = {axis("n", p.n), axis("y", p.h), axis("x", p.w), axis("c", p.ci)};
  const auto margin = [&](std::int64_t size, std::int64_t tiles) {
    return Margin{p.padding, tiles * p.tile + kTaps - 1 - size - p.padding};
  };
  const ir::Buffer x = draft.placeholder("X", shape_of(dims));
  const ir::Buffer padded =
      pad(draft, "data_pad", x, dims, {{}, margin(p.h, p.tiles_h), margin(p.w, p.tiles_w), {}},
          ir::constant(0, draft.type()));
  const Axis eps = axis("eps", p.transformed()), nu = axis("nu", p.transformed());
  const Axis tile = axis("p", p.tiles()), ci = axis("ci", p.ci);
  const ir::Expr row = ir::floor_mod(ir::floor_div(tile.var, p.tiles_w), p.tiles_h);
  const ir::Expr column = ir::floor_mod(tile.var, p.tiles_w);
  return draft.compute("input_tile", {eps, nu, tile, ci},
                       ir::load(padded, {ir::floor_div(tile.var, p.tiles_h * p.tiles_w),
                                         row * p.tile + eps.var, column * p.tile + nu.var, ci.var}));
}

// Iterators that walk over constant matrices only, to be unrolled.
Hints unrolled(const Axes& axes) {
  Hints hints;
  for (const Axis& a : axes) hints.simplify_const_tensor_indices.emplace_back(ir::name_of(a.var));
  return hints;
}

// Both sides of each tile times `matrix` in one sum, as TVM writes it:
// out[a, b, p, c] = sum of in[r_a, r_b, p, c] m[r_a, a] m[r_b, b].
ir::Buffer transform_at_once(Draft& draft, const std::string& name, const ir::Buffer& tiles,
                             const ir::Buffer& matrix, const Axes& axes) {
  const Axis r_a = axis("r_a", matrix->shape[0]), r_b = axis("r_b", matrix->shape[0]);
  const Axis &a = axes[0], &b = axes[1], &p = axes[2], &c = axes[3];
  return draft.reduce(name, axes, {Reducer::Sum, {r_a, r_b}},
                      read_to_sum(tiles, {r_a.var, r_b.var, p.var, c.var}) *
                          ir::load(matrix, {r_a.var, a.var}) * ir::load(matrix, {r_b.var, b.var}),
                      unrolled({a, b, r_a, r_b}));
}

// The same in two sums, first down the columns of a tile and then along its rows: a tile of s by s
// takes 2 s^3 products instead of s^4.
ir::Buffer transform_by_sides(Draft& draft, const std::string& name, const ir::Buffer& tiles,
                              const ir::Buffer& matrix, const Axes& axes) {
  const Axis r_a = axis("r_a", matrix->shape[0]), r_b = axis("r_b", matrix->shape[0]);
  Axes half = fresh(axes);
  half[1] = axis("column", matrix->shape[0]);
  const ir::Buffer columns =
      draft.reduce(name + "_columns", half, {Reducer::Sum, {r_a}},
                   read_to_sum(tiles, {r_a.var, half[1].var, half[2].var, half[3].var}) *
                       ir::load(matrix, {r_a.var, half[0].var}),
                   unrolled({half[0], half[1], r_a}));
  const Axis &a = axes[0], &b = axes[1], &p = axes[2], &c = axes[3];
  return draft.reduce(
      name, axes, {Reducer::Sum, {r_b}},
      ir::load(columns, {a.var, r_b.var, p.var, c.var}) * ir::load(matrix, {r_b.var, b.var}),
      unrolled({a, b, r_b}));
}

ChannelDims write_winograd(Draft& draft, const Arguments& args) {
  const Problem p = problem_of(args);
  const WinogradMatrices matrices = winograd_matrices(static_cast<int>(p.tile), kTaps);
  const auto grid = [&](const char* a, const char* b, std::int64_t size, const char* c,
                        std::int64_t channels) {
    return Axes{axis(a, size), axis(b, size), axis("p", p.tiles()), axis(c, channels)};
  };
  const auto transform = args.word("form") == "direct" ? transform_at_once : transform_by_sides;
  const std::int64_t size = p.transformed();
  const ir::Buffer tiles = input_tiles(draft, p);
  const ir::Buffer b = constant_matrix(draft, "B", matrices.b);
  const ir::Buffer data = transform(draft, "data_pack", tiles, b, grid("eps", "nu", size, "ci", p.ci));

  const Axes out = grid("eps", "nu", size, "co", p.co);
  const Axis ci = axis("ci", p.ci);
  const ir::Buffer weight = draft.placeholder("W", {size, size, p.co, p.ci});
  const Index at = index_of(out);
  const ir::Buffer products = draft.reduce("bgemm", out, {Reducer::Sum, {ci}},
                                           read_to_sum(data, {at[0], at[1], at[2], ci.var}) *
                                               read_to_sum(weight, {at[0], at[1], at[3], ci.var}),
                                           with_weight(weight));

  const ir::Buffer a = constant_matrix(draft, "A", matrices.a);
  const ir::Buffer inverse =
      transform(draft, "inverse", products, a, grid("vh", "vw", p.tile, "co", p.co));
  const Axis n = axis("n", p.n), h = axis("h", p.out_h), w = axis("w", p.out_w), co = axis("co", p.co);
  const ir::Expr tile = n.var * p.tiles_h * p.tiles_w + ir::floor_div(h.var, p.tile) * p.tiles_w +
                        ir::floor_div(w.var, p.tile);
  draft.compute(
      "conv2d_winograd", {n, h, w, co},
      ir::load(inverse, {ir::floor_mod(h.var, p.tile), ir::floor_mod(w.var, p.tile), tile, co.var}));
  return {3};
}

}  // namespace

std::vector<Operator> winograd_operators() {
  std::vector<Key> keys = {batch_key(), {"ci", "", "input channels"}, {"co", "", "output channels"}};
  for (const Key& key : size_keys(2)) keys.push_back(key);
  keys.push_back({.name = "k", .fallback = "3", .meaning = "size of the kernel", .words = {"3"}});
  keys.push_back({"p", "0", "padding on each side", 0});
  keys.push_back(
      {.name = "m", .fallback = "4", .meaning = "outputs a tile and side", .words = {"2", "4"}});
  keys.push_back({.name = "form",
                  .fallback = "separable",
                  .meaning = "tiles transformed side by side, or both sides at once as TVM does",
                  .words = {"separable", "direct"}});
  keys.push_back(
      {.name = "layout", .fallback = "nhwc", .meaning = "order of the dimensions", .words = {"nhwc"}});
  keys.push_back(float_types());
  return {{"winograd",
           "3x3 convolution of stride 1 by Winograd's algorithm; W is the transformed weight", keys,
           "winograd:ci=64,hw=56,co=64,p=1+bias+relu", write_winograd}};
}

}  // namespace hone::task::ops
