#include "train/evaluate.h"

#include "score/metrics.h"
#include "train/programs_by_part.h"

namespace hone::train {

namespace {

void append(std::vector<double>& to, const torch::Tensor& values) {
  const torch::Tensor plain = values.to(torch::kCPU, torch::kDouble).contiguous();
  to.insert(to.end(), plain.data_ptr<double>(), plain.data_ptr<double>() + plain.numel());
}

}  // namespace

Said ask(Model& model, const Features& features, const std::vector<Program>& programs) {
  model.eval();
  Said said;
  for_each_part(features, programs, [&](const Batch& batch) {
    const Prediction part = model.predict(batch);
    append(said.score, part.score);
    append(said.spread, part.spread.defined() ? part.spread : torch::zeros_like(part.score));
    append(said.valid, part.valid.defined() ? part.valid : torch::ones_like(part.score));
  });
  return said;
}

Quality judge(Model& model, const Features& features, const DataSet& set, const TaskIds& tasks) {
  std::vector<Program> programs;
  for (const std::uint32_t id : tasks)
    programs.insert(programs.end(), set.tasks[id].programs.begin(), set.tasks[id].programs.end());
  const std::vector<double> scores = ask(model, features, programs).score;
  Quality sum;
  double judged = 0;
  std::size_t at = 0;
  for (const std::uint32_t id : tasks) {
    const Task& task = set.tasks[id];
    const std::span of_task(scores.data() + at, task.programs.size());
    at += task.programs.size();
    if (task.best_s == 0) continue;
    const std::vector<double> times = relative_times(set, task);
    sum.top1 += score::top_k(of_task, times, 1);
    sum.top5 += score::top_k(of_task, times, 5);
    judged += 1;
  }
  if (judged == 0) return {};
  return {sum.top1 / judged, sum.top5 / judged};
}

}  // namespace hone::train
