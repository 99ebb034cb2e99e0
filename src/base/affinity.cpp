#include "base/affinity.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>

namespace hone {

void keep_to(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

void give_way() {
  constexpr int kSteps = 10;  // of niceness: a tenth of the others' share
  sched_param param{};
  const int policy = sched_getscheduler(0);
  if (policy == SCHED_FIFO || policy == SCHED_RR) {
    sched_getparam(0, &param);
    param.sched_priority = std::max(sched_get_priority_min(policy), param.sched_priority - 1);
    sched_setparam(0, &param);
  } else {
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + kSteps);  // 0: this thread
  }
}

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace hone
