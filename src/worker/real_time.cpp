#include "worker/real_time.h"

#include <sched.h>
#include <unistd.h>

#include "base/clock.h"

namespace hone::worker {
namespace {

constexpr int kPriority = 10;  // above what a desktop gives to sound, below the kernel's own threads
constexpr double kWindowS = 0.25;    // looked at in pieces of this much use
constexpr double kRestShare = 0.08;  // of the use: more than the 5 % that the kernel wants

}  // namespace

bool set_real_time(bool on) {
  const sched_param parameters{.sched_priority = on ? kPriority : 0};
  return sched_setscheduler(0, on ? SCHED_FIFO : SCHED_OTHER, &parameters) == 0;
}

RealTime::RealTime() : entered_(sched_getscheduler(0) == SCHED_OTHER && set_real_time(true)) {}

RealTime::~RealTime() {
  if (entered_) set_real_time(false);
}

void Breather::spent(double seconds) {
  const double now = now_s();
  if (used_s_ == 0) begin_s_ = now - seconds;
  used_s_ += seconds;
  if (used_s_ < kWindowS) return;
  const double rested = now - begin_s_ - used_s_;
  const double due = kRestShare * used_s_ - rested;
  if (due > 0) usleep(static_cast<useconds_t>(due * 1e6));
  used_s_ = 0;
}

}  // namespace hone::worker
