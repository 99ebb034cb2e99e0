// Rounds of trials on one task or on many, one after the other: batch k + 1 is chosen while batch k is
// measured.
#pragma once
#include <functional>
#include <future>

#include "tune/lane.h"

namespace hone::tune {

class Rounds {
 public:
  struct Order {
    Lane* lane = nullptr;  // null: there is nothing more to measure
    std::size_t count = 0;
  };

  // Who decides what is measured, and keeps the results. Called on the thread that called run().
  class Conductor {
   public:
    virtual ~Conductor() = default;
    // Whose batch is chosen next, while `in_flight` candidates are on their way. A lane that is
    // exhausted is not to be named again.
    virtual Order next(std::size_t in_flight) = 0;
    virtual bool is_over() const = 0;                    // asked after each round
    virtual void waits_for(const char* what) = 0;        // several times a second
    virtual void measured(Lane& lane, Trial trial) = 0;  // to be added to the lane, too
    virtual void ended(Lane& lane, const Batch& batch, std::span<const Trial> trials) = 0;
  };

  explicit Rounds(Conductor& conductor) : conductor_(conductor) {}

  // Until there is no more, or it is over; at least one round, however short the time.
  void run();

 private:
  struct Work {
    Lane* lane = nullptr;
    Batch batch;
  };

  // On another thread where that disturbs no kernel that is being timed.
  std::future<Work> start(const Order& order);
  Work await(std::future<Work> choosing);
  Work first_that_has_any(Work work);
  void collect(const Work& work);

  Conductor& conductor_;
};

}  // namespace hone::tune
