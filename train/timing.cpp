#include "train/timing.h"

#include <unistd.h>

#include <chrono>
#include <ctime>

#include "train/loaded.h"

namespace hone::train {
namespace {

using Batches = std::vector<Batch>;

Batches batches_of(const Loaded& loaded, std::size_t portion) {
  Batches batches;
  for (auto begin = loaded.programs.begin(); begin != loaded.programs.end();) {
    const auto left = static_cast<std::size_t>(loaded.programs.end() - begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(portion, left));
    batches.push_back(loaded.features->batch({begin, end}));
    begin = end;
  }
  return batches;
}

struct Seconds {
  double wall, busy;
};

Seconds time_once(Model& model, const Batches& batches) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t busy = std::clock();
  for (const Batch& batch : batches) model.predict(batch);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC};
}

// In portions of the size that suits libtorch best: small ones stay in the caches, large ones have less
// to do around them.
Batches quickest(const Loaded& loaded) {
  Batches best;
  double least = 0;
  for (const std::size_t portion : {64, 256, 1024, 4096}) {
    Batches batches = batches_of(loaded, portion);
    time_once(*loaded.model, batches);
    const double busy = time_once(*loaded.model, batches).busy;
    if (!best.empty() && busy >= least) continue;
    least = busy;
    best = std::move(batches);
  }
  return best;
}

}  // namespace

void time_predictions(const std::string& scorer, const std::string& set, const std::string& output,
                      const std::string& device, int descriptor) {
  const torch::NoGradGuard no_gradient;
  const Loaded loaded = load(scorer, set, device);
  loaded.model->eval();
  const Batches batches = quickest(loaded);
  for (char asked = 0; ::read(descriptor, &asked, 1) == 1;) {
    const Seconds seconds = time_once(*loaded.model, batches);
    const std::string line = std::to_string(seconds.wall) + " " + std::to_string(seconds.busy) + "\n";
    if (::write(descriptor, line.data(), line.size()) < 0) break;
  }
  write_scores(output, ask(*loaded.model, *loaded.features, loaded.programs), false);
}

}  // namespace hone::train
