#include "train/pretext.h"

#include "base/error.h"
#include "base/shuffle.h"

namespace hone::train {
namespace {

using torch::Tensor;

constexpr std::int64_t kKinds = 11;    // of steps, as TLP's rows begin
constexpr double kClip = 1;            // largest norm of a gradient
constexpr double kHiddenShare = 0.15;  // of the steps, as BERT hides them

Tensor mean_or_zero(const Tensor& values) {
  return values.sum() / static_cast<double>(std::max<std::int64_t>(1, values.numel()));
}

Tensor hide(const Tensor& present) {
  return torch::rand(present.sizes(), present.options().dtype(torch::kFloat)) < kHiddenShare;
}

std::vector<Program> shuffled(std::vector<Program> programs, std::uint64_t seed, std::size_t epoch) {
  constexpr std::uint64_t kStream = 3;
  Random random(seed, kStream + epoch);
  shuffle(programs, random);
  return programs;
}

}  // namespace

Tensor row_error(const Tensor& said, const Tensor& rows) {
  const Tensor one_hot = rows.narrow(1, 0, kKinds);
  const Tensor is_step = one_hot.sum(1) > 0;
  const Tensor kind =
      torch::where(is_step, one_hot.argmax(1), torch::full_like(is_step, kKinds, torch::kLong));
  const Tensor log_said = torch::log_softmax(said.narrow(1, 0, kKinds + 1), 1);
  const Tensor entropy = mean_or_zero(-log_said.gather(1, kind.unsqueeze(1)));
  const Tensor numbers = rows.slice(1, kKinds), said_numbers = said.slice(1, kKinds + 1);
  const Tensor wrong = (said_numbers - log_scale(numbers)).square().mean(1);
  return entropy + mean_or_zero(wrong * is_step);
}

PretextImpl::PretextImpl(const TlpBackbone& backbone) {
  head_ = register_module("head", torch::nn::Linear(backbone.width(), backbone.columns() + 1));
  place_ = register_parameter("place", 0.1 * torch::randn({backbone.steps(), backbone.width()}));
}

Guess PretextImpl::next(TlpBackbone& backbone, const Batch& batch) {
  const Tensor rows = backbone.rows(batch), present = backbone.present(batch);
  const std::int64_t steps = backbone.steps();
  const Tensor before = torch::ones({steps, steps}, present.options()).tril();
  const Tensor seen = backbone.mix(backbone.encode(rows), present.unsqueeze(1).logical_and(before));
  const Tensor asked =
      present.slice(1, 0, steps - 1);  // behind the last of the kept steps nothing is known
  return {head_->forward(seen.slice(1, 0, steps - 1).index({asked})), rows.slice(1, 1).index({asked})};
}

Guess PretextImpl::masked(TlpBackbone& backbone, const Batch& batch, const Tensor& hidden) {
  const Tensor rows = backbone.rows(batch);
  const Tensor asked = backbone.present(batch).logical_and(hidden);
  const Tensor known = backbone.present(batch).logical_and(hidden.logical_not());
  const Tensor tokens = torch::where(asked.unsqueeze(2), place_.unsqueeze(0), backbone.encode(rows));
  const Tensor seen = backbone.mix(tokens, known.unsqueeze(1).expand({-1, backbone.steps(), -1}));
  return {head_->forward(seen.index({asked})), rows.index({asked})};
}

Options pretext_options() {
  return {{"pretrain", "none",
           "what is learned of programs before their speed: none, next (step) or masked (steps)"},
          {"pretrain_epochs", "10", "of that"}};
}

bool pretrain(TlpBackbone& backbone, torch::nn::Module& owner, const Pretraining& work) {
  const std::string& task = work.options.word("pretrain", {"none", "next", "masked"});
  if (task == "none") return true;
  if (work.options.text("backend") != "attention")
    throw UserError("pretraining needs attention, and the backend is " + work.options.text("backend"),
                    "set backend=attention, or pretrain=none");
  Pretext pretext(backbone);
  pretext->to(work.features.device());
  std::vector<Tensor> parameters = owner.parameters();
  for (const Tensor& parameter : pretext->parameters()) parameters.push_back(parameter);
  torch::optim::Adam optimizer(parameters, work.options.number("learning_rate"));
  const auto size = static_cast<std::size_t>(work.options.whole("batch"));
  const auto seed = static_cast<std::uint64_t>(work.options.whole("seed"));
  for (std::int64_t epoch = 1; epoch <= work.options.whole("pretrain_epochs"); ++epoch) {
    const std::vector<Program> programs =
        shuffled(work.programs, seed, static_cast<std::size_t>(epoch));
    double sum = 0;
    for (std::size_t from = 0; from < programs.size(); from += size) {
      if (work.stop) return false;
      const std::size_t to = std::min(programs.size(), from + size);
      const Batch batch = work.features.batch({programs.begin() + from, programs.begin() + to});
      const Guess guess = task == "next"
                              ? pretext->next(backbone, batch)
                              : pretext->masked(backbone, batch, hide(backbone.present(batch)));
      optimizer.zero_grad();
      const Tensor loss = row_error(guess.said, guess.rows);
      loss.backward();
      torch::nn::utils::clip_grad_norm_(parameters, kClip);
      optimizer.step();
      sum += loss.item<double>() * static_cast<double>(batch.n);
    }
    work.listener(Event("pretraining")
                      .add("epoch", epoch)
                      .add("epochs", work.options.whole("pretrain_epochs"))
                      .add("loss", sum / static_cast<double>(programs.size())));
  }
  return true;
}

}  // namespace hone::train
