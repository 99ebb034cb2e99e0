// The worker's loop: makes a task's buffers, runs the kernels it is sent, and answers.
#pragma once
#include "worker/channel.h"

namespace hone::worker {

// Serves one client until it hangs up; then 0. A client that speaks another version or nonsense is
// answered once, and the result is 1.
int serve(Channel channel);

}  // namespace hone::worker
