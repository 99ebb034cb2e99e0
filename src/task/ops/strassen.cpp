#include "task/ops/strassen.h"

#include "task/ops/constant_matrix.h"

namespace hone::task::ops {

const StrassenMatrices& strassen_matrices() {
  static const StrassenMatrices matrices = {
      {{1, 0, 1, 0, 1, -1, 0}, {0, 0, 0, 0, 1, 0, 1}, {0, 1, 0, 0, 0, 1, 0}, {1, 1, 0, 1, 0, 0, -1}},
      {{1, 0, 0, 1},
       {1, 0, 0, 0},
       {0, 1, 0, -1},
       {-1, 0, 1, 0},
       {0, 0, 0, 1},
       {1, 1, 0, 0},
       {0, 0, 1, 1}},
      {{1, 0, 0, 1},
       {0, 0, 1, -1},
       {0, 1, 0, 1},
       {1, 0, 1, 0},
       {-1, 1, 0, 0},
       {0, 0, 0, 1},
       {1, 0, 0, 0}}};
  return matrices;
}

ir::Buffer multiply_quarters(Draft& draft, const ir::Buffer& a, const ir::Buffer& weight, Hints hints) {
  const StrassenMatrices& matrices = strassen_matrices();
  const std::int64_t rows = a->shape[0], depth = a->shape[3], columns = weight->shape[2];
  const ir::Buffer left = constant_matrix(draft, "L", matrices.left, a->type);
  const Axis p = axis("p", kStrassenProducts), i = axis("i", rows), k = axis("k", depth);
  const Axis r = axis("r", 2), s = axis("s", 2);
  const ir::Buffer sums = draft.reduce(
      "left_sums", {p, i, k}, {Reducer::Sum, {r, s}},
      read_to_sum(a, {i.var, r.var, s.var, k.var}) * ir::load(left, {times(r.var, 2) + s.var, p.var}),
      unrolled({p, r, s}));

  const Axes batch = {axis("p", kStrassenProducts), axis("i", rows), axis("j", columns)};
  const Axis depth_axis = axis("k", depth);
  const ir::Buffer products =
      draft.reduce("products", batch, {Reducer::Sum, {depth_axis}},
                   ir::load(sums, {batch[0].var, batch[1].var, depth_axis.var}) *
                       read_to_sum(weight, {batch[0].var, depth_axis.var, batch[2].var}),
                   std::move(hints));

  const ir::Buffer result = constant_matrix(draft, "R", matrices.result, a->type);
  const Axes out = {axis("i", rows), axis("r", 2), axis("s", 2), axis("j", columns)};
  const Axis product = axis("p", kStrassenProducts);
  return draft.reduce("strassen", out, {Reducer::Sum, {product}},
                      ir::load(products, {product.var, out[0].var, out[3].var}) *
                          ir::load(result, {product.var, times(out[1].var, 2) + out[2].var}),
                      unrolled({out[1], out[2], product}));
}

}  // namespace hone::task::ops
