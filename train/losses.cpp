#include "train/losses.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/nearest.h"

namespace hone::train {
namespace {

using torch::Tensor;

constexpr double kFloor = 1e-10;  // of sigmoids, of their powers and of the largest DCG

// 1 / log2(1 + rank) for ranks from 1.
Tensor discounts(const Tensor& like) {
  return 1 / torch::log2(torch::arange(like.size(1), like.options()) + 2);
}

// Highest first; what the mask leaves out comes last.
Tensor descending(const Tensor& values, const Tensor& mask) {
  const Tensor hidden = values.masked_fill(mask.logical_not(), -INFINITY);
  return std::get<1>(torch::sort(hidden, /*stable=*/true, /*dim=*/1, /*descending=*/true));
}

// What a pair's weight is made of, a program.
struct Lambda {
  Tensor discount, gain;
};

Lambda lambda_parts(const Tensor& scores, const Tensor& labels, const Tensor& mask) {
  const Tensor by_rank = discounts(scores);
  const Tensor discount = torch::zeros_like(scores).scatter(1, descending(scores, mask),
                                                            by_rank.expand_as(scores).contiguous());
  const Tensor gain = torch::exp2(labels) - 1;
  const Tensor ideal = gain.masked_fill(mask.logical_not(), 0).gather(1, descending(gain, mask));
  const Tensor largest = (ideal * by_rank).sum(1, /*keepdim=*/true).clamp_min(kFloor);
  return {discount, gain / largest};
}

// How many rows of pairs are worked on at once: what fits a cache, or fills a GPU.
std::int64_t rows_at_once(const Tensor& scores) {
  const std::int64_t pairs = scores.is_cuda() ? std::int64_t{1} << 24 : std::int64_t{1} << 18;
  return std::max<std::int64_t>(1, pairs / std::max<std::int64_t>(1, scores.numel()));
}

class LambdaRank : public torch::autograd::Function<LambdaRank> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& scores,
                        const Tensor& labels, const Tensor& mask) {
    const Lambda lambda = lambda_parts(scores, labels, mask);
    Tensor gradient = torch::zeros_like(scores);
    Tensor loss = torch::zeros({}, scores.options());
    const std::int64_t length = scores.size(1), step = rows_at_once(scores);
    for (std::int64_t from = 0; from < length; from += step) {
      const std::int64_t rows = std::min(step, length - from);
      const auto difference = [&](const Tensor& x) {  // x_i - x_j for these i and all j
        return x.narrow(1, from, rows).unsqueeze(2) - x.unsqueeze(1);
      };
      const Tensor counts = (difference(labels) > 0)
                                .logical_and(mask.narrow(1, from, rows).unsqueeze(2))
                                .logical_and(mask.unsqueeze(1));
      const Tensor weight = difference(lambda.discount).mul_(difference(lambda.gain)).abs_();
      const Tensor right = torch::sigmoid(difference(scores));
      const double least = std::log2(kFloor);
      const Tensor term = torch::log2(right.clamp_min(kFloor)).mul_(weight);
      loss = loss - torch::where(counts, term.clamp_min(least), torch::zeros_like(term)).sum();
      const Tensor moves = counts.logical_and(right > kFloor).logical_and(term > least);
      const Tensor pull =
          torch::where(moves, weight * (1 - right), torch::zeros_like(weight)).div_(std::log(2.0));
      gradient.narrow(1, from, rows).sub_(pull.sum(2));
      gradient.add_(pull.sum(1));
    }
    context->save_for_backward({gradient});
    return loss;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list outer) {
    return {outer[0] * context->get_saved_variables()[0], Tensor(), Tensor()};
  }
};

// The mean of the values where the mask is true, 0 when it never is.
Tensor masked_mean(const Tensor& values, const Tensor& mask) {
  const Tensor kept = torch::where(mask, values, torch::zeros_like(values));
  return kept.sum() / mask.sum().clamp_min(1);
}

}  // namespace

Tensor lambda_rank(const Tensor& scores, const Tensor& labels, const Tensor& mask) {
  return LambdaRank::apply(scores, labels, mask);
}

Tensor rank_net(const Tensor& scores, const Tensor& labels, const Tensor& mask) {
  const Tensor logits = scores.unsqueeze(2) - scores.unsqueeze(1);
  const Tensor faster = (torch::sign(labels.unsqueeze(2) - labels.unsqueeze(1)) + 1) / 2;
  const Tensor pairs = mask.unsqueeze(2).logical_and(mask.unsqueeze(1)).triu(1);
  return masked_mean(torch::softplus(logits) - faster * logits, pairs);
}

Tensor list_net(const Tensor& scores, const Tensor& labels, const Tensor& mask) {
  constexpr double kNever = -1e9;
  const Tensor absent = mask.logical_not();
  const Tensor wanted = torch::softmax(labels.masked_fill(absent, kNever), 1);
  const Tensor log_given = torch::log_softmax(scores.masked_fill(absent, kNever), 1);
  return -torch::where(mask, wanted * log_given, torch::zeros_like(scores)).sum();
}

Tensor squared_error(const Tensor& scores, const Tensor& labels, const Tensor& mask) {
  return masked_mean((scores - labels).square(), mask);
}

Tensor sigmoid_squared_error(const Tensor& scores, const Tensor& labels, const Tensor& mask) {
  return squared_error(torch::sigmoid(scores), labels, mask);
}

Tensor robust_error(const Tensor& predicted, const Tensor& labels, const Tensor& mask, double delta) {
  const Tensor distance = (predicted - labels).abs();
  const Tensor near = distance.clamp_max(delta);
  return masked_mean(near * (distance - near / 2), mask);
}

ListLoss loss_named(const std::string& name) {
  static const std::vector<std::pair<std::string, ListLoss>> kLosses = {
      {"lambdarank", lambda_rank}, {"ranknet", rank_net},           {"listnet", list_net},
      {"mse", squared_error},      {"rmse", sigmoid_squared_error},
  };
  std::vector<std::string> names;
  for (const auto& [known, loss] : kLosses) {
    if (known == name) return loss;
    names.push_back(known);
  }
  throw UserError("there is no loss '" + name + "'", did_you_mean(name, names));
}

}  // namespace hone::train
