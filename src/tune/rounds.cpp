#include "tune/rounds.h"

#include <chrono>

#include "base/affinity.h"

namespace hone::tune {
namespace {

constexpr double kTickS = 0.1;

}  // namespace

void Rounds::run() {
  Work current = first_that_has_any(await(start(conductor_.next(0))));
  while (current.lane != nullptr) {
    current.lane->meter().begin();
    // Batch k + 1 is chosen while batch k is measured, so by what batches up to k - 1 have taught; and
    // for the same answers everywhere also where the two cannot go on at once.
    const Order order = conductor_.next(current.batch.candidates.size());
    std::future<Work> choosing = start(order);
    collect(current);
    if (conductor_.is_over()) {
      if (order.lane != nullptr && order.lane->is_prepared()) {
        choosing = {};  // waits, where it was begun
        order.lane->meter().drop_announced();
      }
      return;
    }
    current = first_that_has_any(await(std::move(choosing)));
  }
}

std::future<Rounds::Work> Rounds::start(const Order& order) {
  Lane* const lane = order.lane;
  // A lane that is not prepared needs the processors that kernels run on.
  const bool overlaps = lane != nullptr && lane->is_prepared() && lane->meter().overlaps();
  return std::async(overlaps ? std::launch::async : std::launch::deferred,
                    [=, lesson = lane != nullptr ? lane->lesson() : std::vector<Trial>{}] {
                      if (overlaps) keep_to(lane->meter().free_cpus());
                      return lane == nullptr ? Work{} : Work{lane, lane->choose(order.count, lesson)};
                    });
}

Rounds::Work Rounds::await(std::future<Work> choosing) {
  while (choosing.wait_for(std::chrono::duration<double>(kTickS)) == std::future_status::timeout)
    conductor_.waits_for("choosing candidates");
  return choosing.get();
}

Rounds::Work Rounds::first_that_has_any(Work work) {
  while (work.lane != nullptr && work.batch.candidates.empty()) work = await(start(conductor_.next(0)));
  return work;
}

void Rounds::collect(const Work& work) {
  std::vector<Trial> trials;
  while (trials.size() < work.batch.candidates.size()) {
    std::optional<measure::Measurement> result = work.lane->meter().next(kTickS);
    if (!result) {
      conductor_.waits_for("building and measuring");
      continue;
    }
    trials.push_back({work.batch.candidates[trials.size()], work.batch.round, std::move(*result), 0});
    conductor_.measured(*work.lane, trials.back());
  }
  conductor_.ended(*work.lane, work.batch, trials);
}

}  // namespace hone::tune
