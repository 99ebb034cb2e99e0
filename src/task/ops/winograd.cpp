// Winograd convolution F(m x m, 3 x 3), channels last, with the weight already transformed.
#include "task/winograd.h"

#include "task/ops/constant_matrix.h"
#include "task/ops/winograd_ops.h"

namespace hone::task::ops {
namespace {

// Sizes of a problem. Tiles of all images and, of a volume, of all its slices stand in one row.
struct Sizes {
  std::int64_t n;
  std::int64_t slices, out_slices;  // of the padded input and of the output; 1 of an image
  std::int64_t out_h, out_w;
  std::int64_t tiles_h, tiles_w;  // that cover the output; the last ones may reach over its edge
  std::int64_t transformed;       // rows and columns of a transformed tile

  std::int64_t tiles() const { return tiles_h * tiles_w; }  // of one slice
};

Sizes sizes_of(const Winograd& conv, std::int64_t n) {
  const Window &rows = conv.windows[conv.windows.size() - 2], &columns = conv.windows.back();
  Sizes s{n, 1, 1, rows.output(), columns.output(), 0, 0, conv.tile + kWinogradTaps - 1};
  if (conv.windows.size() == 3) {
    s.slices = conv.windows.front().padded();
    s.out_slices = conv.windows.front().output();
  }
  s.tiles_h = (s.out_h + conv.tile - 1) / conv.tile;
  s.tiles_w = (s.out_w + conv.tile - 1) / conv.tile;
  return s;
}

// The input with zeros around it, as many as whole tiles need.
ir::Buffer padded_for_tiles(Draft& draft, const Winograd& conv, const Sizes& s,
                            const ir::Buffer& image) {
  Axes positions;
  std::vector<Margin> margins;
  for (const Window& window : conv.windows) {
    positions.push_back(axis(window.axis, window.input));
    margins.push_back({window.before, window.after});
  }
  const auto reach = [&](Margin& margin, const Window& window, std::int64_t tiles) {
    margin.after = tiles * conv.tile + kWinogradTaps - 1 - window.input - window.before;
  };
  reach(margins[margins.size() - 2], conv.windows[conv.windows.size() - 2], s.tiles_h);
  reach(margins.back(), conv.windows.back(), s.tiles_w);
  const Axes dims = conv.layout.batch(axis("n", s.n), channel_axes("c", conv.in), positions);
  return pad(draft, "data_pad", image, dims,
             conv.layout.batch(Margin{}, std::vector<Margin>(conv.in.size()), margins),
             ir::constant(0, image->type));
}

template <class T>
std::vector<T> joined(std::vector<T> front, const std::vector<T>& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

// The padded input cut into overlapping tiles: [eps, nu, tile, ci].
ir::Buffer input_tiles(Draft& draft, const Winograd& conv, const Sizes& s, const ir::Buffer& image) {
  const ir::Buffer padded = padded_for_tiles(draft, conv, s, image);
  const Axis eps = axis("eps", s.transformed), nu = axis("nu", s.transformed);
  const Axis tile = axis("p", s.n * s.slices * s.tiles());
  const Axes ci = channel_axes("ci", conv.in);
  const ir::Expr row = ir::floor_mod(ir::floor_div(tile.var, s.tiles_w), s.tiles_h);
  const ir::Expr column = ir::floor_mod(tile.var, s.tiles_w);
  Index at = {row * conv.tile + eps.var, column * conv.tile + nu.var};
  if (conv.windows.size() == 3) {
    at.insert(at.begin(), ir::floor_mod(ir::floor_div(tile.var, s.tiles()), s.slices));
  }
  const ir::Expr picture = ir::floor_div(tile.var, s.slices * s.tiles());
  return draft.compute("input_tile", joined({eps, nu, tile}, ci),
                       ir::load(padded, conv.layout.batch(picture, index_of(ci), at)));
}

// The tile of the input that a tap in front reads for tile `p` of the output.
ir::Expr source_tile(const Winograd& conv, const Sizes& s, const ir::Expr& p, const Axes& front) {
  if (front.empty()) return p;
  const Window& window = conv.windows.front();
  const ir::Expr step = times(front.front().var, window.dilation * s.tiles());
  const ir::Expr picture = ir::floor_div(p, s.out_slices * s.tiles());
  if (window.stride == 1) {
    const ir::Expr tile = s.n == 1 ? p : p + picture * ((s.slices - s.out_slices) * s.tiles());
    return tile + step;
  }
  const ir::Expr slice = ir::floor_mod(ir::floor_div(p, s.tiles()), s.out_slices);
  return (picture * s.slices + slice * window.stride) * s.tiles() + step + ir::floor_mod(p, s.tiles());
}

// The same tile and channel, at another place of the tile.
Index in_tile(const Axes& place, const Axes& axes) {
  return index_of(joined(place, Axes(axes.begin() + 2, axes.end())));
}

// Both sides of each tile times `matrix` in one sum, as TVM writes it:
// out[a, b, p, c] = sum of in[r_a, r_b, p, c] m[r_a, a] m[r_b, b].
ir::Buffer transform_at_once(Draft& draft, const std::string& name, const ir::Buffer& tiles,
                             const ir::Buffer& matrix, const Axes& axes) {
  const Axis r_a = axis("r_a", matrix->shape[0]), r_b = axis("r_b", matrix->shape[0]);
  const Axis &a = axes[0], &b = axes[1];
  return draft.reduce(name, axes, {Reducer::Sum, {r_a, r_b}},
                      read_to_sum(tiles, in_tile({r_a, r_b}, axes)) *
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
  const ir::Buffer columns = draft.reduce(
      name + "_columns", half, {Reducer::Sum, {r_a}},
      read_to_sum(tiles, in_tile({r_a, half[1]}, half)) * ir::load(matrix, {r_a.var, half[0].var}),
      unrolled({half[0], half[1], r_a}));
  const Axis &a = axes[0], &b = axes[1];
  return draft.reduce(name, axes, {Reducer::Sum, {r_b}},
                      ir::load(columns, in_tile({a, r_b}, axes)) * ir::load(matrix, {r_b.var, b.var}),
                      unrolled({a, b, r_b}));
}

// The output put together from its tiles.
ir::Buffer whole_output(Draft& draft, const Winograd& conv, const Sizes& s, const ir::Buffer& tiles) {
  const Axis n = axis("n", s.n), h = axis("h", s.out_h), w = axis("w", s.out_w);
  const Axes co = channel_axes("co", conv.out);
  Axes positions = {h, w};
  ir::Expr slice = n.var;
  if (conv.windows.size() == 3) {
    positions.insert(positions.begin(), axis("z", s.out_slices));
    slice = n.var * s.out_slices + positions.front().var;
  }
  const ir::Expr tile = slice * s.tiles_h * s.tiles_w + ir::floor_div(h.var, conv.tile) * s.tiles_w +
                        ir::floor_div(w.var, conv.tile);
  const Index place = {ir::floor_mod(h.var, conv.tile), ir::floor_mod(w.var, conv.tile), tile};
  return draft.compute("conv2d_winograd", conv.layout.batch(n, co, positions),
                       ir::load(tiles, joined(place, index_of(co))));
}

ChannelDims write_winograd(Draft& draft, const Arguments& args) {
  const auto window = [&](const char* name, const char* size) {
    return Window{name, args[size], kWinogradTaps, 1, args["p"], args["p"], 1};
  };
  const Winograd conv{Layout("nhwc"), {window("y", "h"), window("x", "w")}, {args["ci"]}, {args["co"]},
                      args["m"],      args.word("form") != "direct"};
  check_fit(args, conv.windows);
  const ir::Buffer x = image_placeholder(draft, conv.layout, args["n"], conv.in, conv.windows);
  const ir::Buffer weight = draft.placeholder("W", winograd_weight_shape(conv));
  convolve_winograd(draft, conv, x, weight, with_weight(weight));
  return {3};
}

}  // namespace

Shape winograd_weight_shape(const Winograd& conv) {
  const std::int64_t size = conv.tile + kWinogradTaps - 1;
  Shape shape = {size, size};
  if (conv.windows.size() == 3) shape.push_back(conv.windows.front().kernel);
  return joined(joined(shape, conv.out), conv.in);
}

ir::Buffer convolve_winograd(Draft& draft, const Winograd& conv, const ir::Buffer& image,
                             const ir::Buffer& weight, Hints hints) {
  const Sizes s = sizes_of(conv, image->shape[0]);
  const WinogradMatrices matrices = winograd_matrices(static_cast<int>(conv.tile), kWinogradTaps);
  const auto grid = [&](const char* a, const char* b, std::int64_t size, std::int64_t slices,
                        const char* c, const Shape& channels) {
    return joined({axis(a, size), axis(b, size), axis("p", s.n * slices * s.tiles())},
                  channel_axes(c, channels));
  };
  const auto transform = conv.is_separable ? transform_by_sides : transform_at_once;
  const ir::Buffer tiles = input_tiles(draft, conv, s, image);
  const ir::Buffer b = constant_matrix(draft, "B", matrices.b, image->type);
  const ir::Buffer data = transform(draft, "data_pack", tiles, b,
                                    grid("eps", "nu", s.transformed, s.slices, "ci", conv.in));

  const Axes out = grid("eps", "nu", s.transformed, s.out_slices, "co", conv.out);
  Axes reduced;
  if (conv.windows.size() == 3) reduced.push_back(axis("rz", conv.windows.front().kernel));
  const ir::Expr source = source_tile(conv, s, out[2].var, reduced);
  const Axes ci = channel_axes("ci", conv.in), co(out.begin() + 3, out.end());
  const Axes taps = joined(joined(joined({out[0], out[1]}, reduced), co), ci);
  reduced = joined(reduced, ci);
  const Index tile = joined({out[0].var, out[1].var, source}, index_of(ci));
  const ir::Buffer products =
      draft.reduce("bgemm", out, {Reducer::Sum, reduced},
                   read_to_sum(data, tile) * read_to_sum(weight, index_of(taps)), std::move(hints));

  const ir::Buffer a = constant_matrix(draft, "A", matrices.a, image->type);
  return whole_output(draft, conv, s,
                      transform(draft, "inverse", products, a,
                                grid("vh", "vw", conv.tile, s.out_slices, "co", conv.out)));
}

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
