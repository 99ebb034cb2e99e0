#include "score/adapt_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.h"
#include "score/grow_forest.h"
#include "score/hone_network.h"
#include "score/opinion.h"
#include "score/ridge.h"

namespace hone::score {
namespace {

using Row = std::vector<double>;

constexpr double kMostLogLatency = 6;  // slower programs are all alike: none of them is ever picked
constexpr double kLeastWeight = 0.1;   // of a program that is much slower than the best
// Labels that count as much as the source's own scores, where both are targets.
constexpr double kTeacherLabels = 200;
constexpr std::size_t kRoundLabels = 64;  // after which the teacher follows the student
constexpr double kMomentum = 0.99;        // of the teacher (Pruner's)
// Few labels carry few and shallow trees.
constexpr int kMoreTrees = 60, kMoreDepth = 4;
constexpr double kMoreRate = 0.1;

double dot(const Row& a, const Row& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::string head_name(std::size_t member) { return "member" + std::to_string(member) + ".heads"; }

std::vector<Head> heads_of(const std::vector<NamedTensor>& tensors, std::size_t members) {
  std::vector<Head> heads;
  for (std::size_t i = 0; i < members; ++i) {
    const NamedTensor& weight = find_tensor(tensors, head_name(i) + ".weight", {2, -1});
    const auto width = static_cast<std::ptrdiff_t>(weight.shape[1]);
    heads.push_back({Row(weight.values.begin(), weight.values.begin() + width),
                     double{find_tensor(tensors, head_name(i) + ".bias", {2}).values[0]}});
  }
  return heads;
}

// The labelled programs that work, task by task; tasks with fewer than two teach no order.
std::vector<std::vector<std::size_t>> comparable(const Labelled& labelled) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_task;
  for (std::size_t i = 0; i < labelled.samples.size(); ++i)
    if (std::isfinite(labelled.seconds[i]) && labelled.seconds[i] > 0)
      by_task[labelled.task_of[i]].push_back(i);
  std::vector<std::vector<std::size_t>> tasks;
  for (auto& [number, programs] : by_task)
    if (programs.size() > 1) tasks.push_back(std::move(programs));
  return tasks;
}

// Values less their weighted mean over the programs of a task.
Row centred(const AdaptMaterial& material, std::size_t task, const auto& value_of) {
  double sum = 0, total = 0;
  for (const std::size_t i : material.tasks[task]) {
    sum += material.weight[i] * value_of(i);
    total += material.weight[i];
  }
  Row out;
  for (const std::size_t i : material.tasks[task]) out.push_back(value_of(i) - sum / total);
  return out;
}

// Rows less their weighted mean over the programs of a task: a score compares programs of one task.
std::vector<Row> centred_rows(const AdaptMaterial& material, std::size_t task, std::size_t member) {
  const std::vector<Row>& hidden = material.hidden[member];
  const std::size_t width = material.heads[member].weight.size();
  Row mean(width);
  double total = 0;
  for (const std::size_t i : material.tasks[task]) {
    for (std::size_t j = 0; j < width; ++j) mean[j] += material.weight[i] * hidden[i][j];
    total += material.weight[i];
  }
  std::vector<Row> out;
  for (const std::size_t i : material.tasks[task]) {
    out.push_back(hidden[i]);
    for (std::size_t j = 0; j < width; ++j) out.back()[j] -= mean[j] / total;
  }
  return out;
}

// The factor that brings what the source says nearest to the times: machines differ in scale, and a
// loss that ranks teaches none.
double scale_of(const AdaptMaterial& material, const TaskNumbers& tasks) {
  double products = 0, squares = 0;
  for (const std::size_t task : tasks) {
    const Row measured =
        centred(material, task, [&](std::size_t i) { return material.log_latency[i]; });
    const Row said = centred(material, task, [&](std::size_t i) {
      double sum = 0;
      for (std::size_t m = 0; m < material.heads.size(); ++m)
        sum += dot(material.heads[m].weight, material.hidden[m][i]);
      return sum / static_cast<double>(material.heads.size());
    });
    for (std::size_t k = 0; k < said.size(); ++k) {
      const double weight = material.weight[material.tasks[task][k]];
      products += weight * said[k] * measured[k];
      squares += weight * said[k] * said[k];
    }
  }
  return products > 0 ? products / squares : 1;
}

// The weights of a member's head, by all its tasks at once or by rounds of them.
Row fit_weight(const AdaptMaterial& material, std::size_t member, Adaption way, double stiffness,
               const TaskNumbers& tasks, const Row& source) {
  Ridge ridge(source.size());
  Row teacher = source, student = source;
  std::size_t labels = 0;
  for (const std::size_t task : tasks) {
    const std::vector<Row> rows = centred_rows(material, task, member);
    const Row measured =
        centred(material, task, [&](std::size_t i) { return material.log_latency[i]; });
    for (std::size_t k = 0; k < rows.size(); ++k)
      ridge.add(rows[k], measured[k], material.weight[material.tasks[task][k]]);
    const std::size_t before = labels / kRoundLabels;
    labels += rows.size();
    if (way != Adaption::Momentum || labels / kRoundLabels == before) continue;
    student = ridge.solve(teacher, stiffness);
    for (std::size_t j = 0; j < teacher.size(); ++j)
      teacher[j] = kMomentum * teacher[j] + (1 - kMomentum) * student[j];
  }
  student = ridge.solve(teacher, stiffness);
  if (way == Adaption::Distilled) {
    // The mean of two targets is explained by the mean of what explains each.
    const double own = static_cast<double>(labels) / (static_cast<double>(labels) + kTeacherLabels);
    for (std::size_t j = 0; j < student.size(); ++j)
      student[j] = own * student[j] + (1 - own) * source[j];
  }
  return student;
}

// So that a member says on average what it said before. Labels cannot tell: the best program of a task
// may not be labelled.
double bias_of(const AdaptMaterial& material, std::size_t member, const Row& weight,
               const TaskNumbers& tasks) {
  const Head& source = material.heads[member];
  double sum = 0, total = 0;
  for (const std::size_t task : tasks) {
    for (const std::size_t i : material.tasks[task]) {
      const Row& hidden = material.hidden[member][i];
      sum += material.weight[i] * (dot(source.weight, hidden) - dot(weight, hidden));
      total += material.weight[i];
    }
  }
  return source.bias + sum / total;
}

std::vector<Head> fit_heads(const AdaptMaterial& material, Adaption way, double stiffness,
                            const TaskNumbers& tasks) {
  const double scale = scale_of(material, tasks);
  std::vector<Head> heads;
  for (std::size_t member = 0; member < material.heads.size(); ++member) {
    Row source = material.heads[member].weight;
    for (double& value : source) value *= scale;
    Row weight = fit_weight(material, member, way, stiffness, tasks, source);
    const double bias = bias_of(material, member, weight, tasks);
    heads.push_back({std::move(weight), bias});
  }
  return heads;
}

Forest grow_more(const AdaptMaterial& material, const TaskNumbers& tasks, const AdaptOptions& options) {
  const std::size_t columns = material.rows.columns;
  Table table{.values = {}, .columns = columns};
  std::vector<float> labels;
  for (const std::size_t task : tasks) {
    const Row left = centred(
        material, task, [&](std::size_t i) { return material.log_latency[i] - material.trees[i]; });
    for (std::size_t k = 0; k < left.size(); ++k) {
      const float* const row = &material.rows.values[material.tasks[task][k] * columns];
      table.values.insert(table.values.end(), row, row + columns);
      labels.push_back(static_cast<float>(left[k]));
    }
  }
  return *grow_forest(table, labels,
                      {.trees = kMoreTrees,
                       .depth = kMoreDepth,
                       .learning_rate = kMoreRate,
                       .threads = options.threads,
                       .seed = options.seed},
                      [](int, double) { return true; });
}

}  // namespace

AdaptMaterial adapt_material(const ScorerFile& source, const CompileDense& compile,
                             const Labelled& labelled) {
  check(labelled.samples.size() == labelled.task_of.size() &&
            labelled.samples.size() == labelled.seconds.size(),
        "every sample has a task and a time");
  const std::vector<NamedTensor> tensors = parse_tensors(source.weights);
  AdaptMaterial out;
  out.heads = heads_of(tensors, static_cast<std::size_t>(whole_option(source.header, "members")));
  out.caution = number_option(source.header, "caution");
  if (has_forest(tensors)) out.forest = parse_forest(tensors);
  out.tree_share = number_option(source.header, "tree_share");
  out.hidden.resize(out.heads.size());
  const std::unique_ptr<Network> network = make_network(source, compile, /*tells_hidden=*/true);
  for (const std::vector<std::size_t>& programs : comparable(labelled)) {
    double best_s = labelled.seconds[programs.front()];
    std::vector<Sample> samples;
    for (const std::size_t i : programs) {
      best_s = std::min(best_s, labelled.seconds[i]);
      samples.push_back(labelled.samples[i]);
    }
    out.tasks.emplace_back();
    const std::vector<Prediction> said = network->predict(samples);
    for (std::size_t k = 0; k < programs.size(); ++k) {
      out.tasks.back().push_back(out.size());
      const double slowness = labelled.seconds[programs[k]] / best_s;
      out.log_latency.push_back(std::min(kMostLogLatency, std::log(slowness)));
      out.weight.push_back(std::max(kLeastWeight, 1 / slowness));
      out.log_valid.push_back(std::log(said[k].valid));
      std::size_t at = 0;
      for (std::size_t m = 0; m < out.heads.size(); ++m) {
        const float* const from = &said[k].hidden[at];
        at += out.heads[m].weight.size();
        out.hidden[m].emplace_back(from, from + out.heads[m].weight.size());
      }
      out.rows.columns = 0;
      for (const std::string& view : tree_views(network->views())) {
        const View& row = view_of(samples[k], view);
        out.rows.values.insert(out.rows.values.end(), row.values.begin(), row.values.end());
        out.rows.columns += row.columns;
      }
    }
  }
  out.trees.assign(out.size(), 0);
  if (out.forest) std::ranges::copy(out.forest->values(out.rows.values), out.trees.begin());
  return out;
}

Fit fit(const AdaptMaterial& material, Adaption way, double stiffness, const TaskNumbers& tasks,
        const AdaptOptions& options) {
  Fit out{material.heads, {}};
  const bool is_of_trees = way == Adaption::Trees || way == Adaption::Both;
  if (way != Adaption::Frozen && way != Adaption::Trees)
    out.heads = fit_heads(material, way, stiffness, tasks);
  if (is_of_trees) out.more_trees = grow_more(material, tasks, options);
  return out;
}

std::vector<AdaptSaid> ask(const AdaptMaterial& material, const Fit& fit, std::size_t task) {
  std::vector<AdaptSaid> out;
  const std::size_t columns = material.rows.columns;
  for (const std::size_t i : material.tasks[task]) {
    double sum = 0, squares = 0;
    for (std::size_t m = 0; m < fit.heads.size(); ++m) {
      const double said = dot(fit.heads[m].weight, material.hidden[m][i]) + fit.heads[m].bias;
      sum += said;
      squares += said * said;
    }
    const auto n = static_cast<double>(fit.heads.size());
    Opinion<double> opinion{sum / n, std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)))};
    if (material.forest || fit.more_trees) {
      double trees = material.trees[i];
      if (fit.more_trees)
        trees += double{fit.more_trees->values({&material.rows.values[i * columns], columns})[0]};
      opinion = join(opinion, trees, material.tree_share);
    }
    const double latency = opinion.log_latency + material.caution * opinion.spread;
    out.push_back({material.log_valid[i] - latency, latency, opinion.spread});
  }
  return out;
}

}  // namespace hone::score
