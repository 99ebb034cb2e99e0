// Running ahead of everybody else on the machine without being stopped for it.
#pragma once

namespace hone::worker {

// Puts the calling thread, and those it makes, into SCHED_FIFO or back into the default. False when the
// system does not permit what was asked for.
bool set_real_time(bool on);

// The same for a while, where it is permitted; who is in it already stays as he is.
class RealTime {
 public:
  RealTime();
  ~RealTime();
  RealTime(const RealTime&) = delete;
  RealTime& operator=(const RealTime&) = delete;

 private:
  bool entered_;
};

// The kernel takes the processor from real-time threads that use more than 95 % of a second, in one
// piece of 50 ms that would land in somebody's sample. Short sleeps between samples prevent that.
class Breather {
 public:
  // To be told of all time spent computing; sleeps when it is due.
  void spent(double seconds);

 private:
  double begin_s_ = 0, used_s_ = 0;
};

}  // namespace hone::worker
