// Products of matrices: one, a batch, with a weight as networks store it, and of attention's heads.
#include "task/ops/operator.h"

namespace hone::task::ops {
namespace {

Key transposed_key() {
  return {.name = "trans",
          .fallback = "n",
          .meaning = "B is [k, n] (n) or [n, k] (t)",
          .words = {"n", "t"}};
}

// C[i, j] = sum over k of A[i, k] * B[k, j], where B may be stored transposed and is constant.
ChannelDims write_product(Draft& draft, const Arguments& args, bool transposed) {
  const Axis i = axis("i", args["m"]), j = axis("j", args["n"]), k = axis("k", args["k"]);
  const Axes b_dims = transposed ? Axes{j, k} : Axes{k, j};
  const ir::Buffer a = draft.placeholder("A", {i.extent, k.extent});
  const ir::Buffer b = draft.placeholder("B", shape_of(b_dims));
  draft.reduce("C", {i, j}, {Reducer::Sum, {k}},
               read_to_sum(a, {i.var, k.var}) * read_to_sum(b, index_of(b_dims)), with_weight(b));
  return {1};
}

ChannelDims write_matmul(Draft& draft, const Arguments& args) {
  return write_product(draft, args, args.word("trans") == "t");
}

ChannelDims write_dense(Draft& draft, const Arguments& args) {
  return write_product(draft, args, true);
}

ChannelDims write_batch_matmul(Draft& draft, const Arguments& args) {
  const Axis batch = axis("b", args["b"]);
  const Axis i = axis("i", args["m"]), j = axis("j", args["n"]), k = axis("k", args["k"]);
  const Axes b_dims = args.word("trans") == "t" ? Axes{batch, j, k} : Axes{batch, k, j};
  const ir::Buffer a = draft.placeholder("A", {batch.extent, i.extent, k.extent});
  const ir::Buffer b = draft.placeholder("B", shape_of(b_dims));
  draft.reduce("C", {batch, i, j}, {Reducer::Sum, {k}},
               read_to_sum(a, {batch.var, i.var, k.var}) * read_to_sum(b, index_of(b_dims)));
  return {2};
}

// The tensor with its dimensions in another order: dimension d of `from` runs along axes[order[d]].
ir::Buffer permute(Draft& draft, const std::string& name, const ir::Buffer& from, const Axes& axes,
                   std::initializer_list<std::size_t> order) {
  Index index;
  for (const std::size_t position : order) index.push_back(axes[position].var);
  return draft.compute(name, axes, ir::load(from, std::move(index)));
}

// Attention scores from queries and keys as a projection leaves them: [batch, sequence, head, size].
ChannelDims write_transpose_batch_matmul(Draft& draft, const Arguments& args) {
  const std::int64_t batch = args["b"], sequence = args["seq"], heads = args["heads"],
                     size = args["dim"];
  const ir::Buffer q = draft.placeholder("Q", {batch, sequence, heads, size});
  const ir::Buffer q_by_head =
      permute(draft, "QT", q,
              {axis("b", batch), axis("h", heads), axis("s", sequence), axis("d", size)}, {0, 2, 1, 3});
  const ir::Buffer k = draft.placeholder("K", {batch, sequence, heads, size});
  const ir::Buffer k_by_head =
      permute(draft, "KT", k,
              {axis("b", batch), axis("h", heads), axis("d", size), axis("s", sequence)}, {0, 3, 1, 2});
  const Axis b = axis("b", batch), h = axis("h", heads), i = axis("i", sequence),
             j = axis("j", sequence);
  const Axis r = axis("k", size);
  draft.reduce("O", {b, h, i, j}, {Reducer::Sum, {r}},
               read_to_sum(q_by_head, {b.var, h.var, i.var, r.var}) *
                   read_to_sum(k_by_head, {b.var, h.var, r.var, j.var}));
  return {3};
}

}  // namespace

std::vector<Operator> matmul_operators() {
  const Key m{"m", "", "rows of A"}, n{"n", "", "columns of the result"},
      k{"k", "", "length of the sum"};
  const Key b{"b", "1", "batch"};
  return {
      {"matmul",
       "A[m, k] times a constant B",
       {m, n, k, transposed_key(), number_types()},
       "matmul:m=128,n=768,k=768+bias+gelu",
       write_matmul},
      {"dense",
       "A[m, k] times a constant weight B[n, k]",
       {m, n, k, number_types()},
       "dense:m=1,n=1000,k=2048+bias",
       write_dense},
      {"batch_matmul",
       "a batch of products of two variable matrices",
       {b, m, n, k, transposed_key(), number_types()},
       "batch_matmul:b=12,m=128,n=128,k=64",
       write_batch_matmul},
      {"transpose_batch_matmul",
       "attention scores: Q[b, seq, heads, dim] times K, a head at a time",
       {b,
        {"seq", "", "length of the sequence"},
        {"heads", "", "attention heads"},
        {"dim", "", "size of a head"},
        number_types()},
       "transpose_batch_matmul:b=1,seq=128,heads=12,dim=64",
       write_transpose_batch_matmul},
  };
}

}  // namespace hone::task::ops
