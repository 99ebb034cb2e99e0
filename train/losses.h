// What training lowers. Scores, labels and mask are [lists, length]: programs are compared within a
// list only, and where the mask is false there is no program. All are sums or means over what is there,
// and 0 for lists in which nothing can be compared.
#pragma once
#include <string>
#include <vector>

#include "train/torch.h"

namespace hone::train {

// LambdaRank as TLP and TenSet have it: with programs ordered by descending score s, rank r from 1,
// D = log2(1 + r), gain G = (2^y - 1) / the list's largest DCG, and w = |1/D_i - 1/D_j| |G_i - G_j|
// taken as constants, the sum over pairs with y_i > y_j of -log2(max(sigmoid(s_i - s_j)^w, 1e-10)).
// Forward and gradient are made together, some rows of pairs at a time: no matrix of all pairs exists.
torch::Tensor lambda_rank(const torch::Tensor& scores, const torch::Tensor& labels,
                          const torch::Tensor& mask);

// Cross-entropy of "i is faster than j" over the pairs of a list, mean over all pairs; an even pair
// wants even scores.
torch::Tensor rank_net(const torch::Tensor& scores, const torch::Tensor& labels,
                       const torch::Tensor& mask);

// Cross-entropy between the softmax of the labels and that of the scores, sum over lists.
torch::Tensor list_net(const torch::Tensor& scores, const torch::Tensor& labels,
                       const torch::Tensor& mask);

// Mean squared error of the score, and of its sigmoid (what TenSet calls RMSE).
torch::Tensor squared_error(const torch::Tensor& scores, const torch::Tensor& labels,
                            const torch::Tensor& mask);
torch::Tensor sigmoid_squared_error(const torch::Tensor& scores, const torch::Tensor& labels,
                                    const torch::Tensor& mask);

// Mean of Huber's loss: quadratic up to `delta` away from the label, linear beyond.
torch::Tensor robust_error(const torch::Tensor& predicted, const torch::Tensor& labels,
                           const torch::Tensor& mask, double delta);

using ListLoss = torch::Tensor (*)(const torch::Tensor& scores, const torch::Tensor& labels,
                                   const torch::Tensor& mask);

// lambdarank, ranknet, listnet, mse, rmse. UserError for another name.
ListLoss loss_named(const std::string& name);

}  // namespace hone::train
