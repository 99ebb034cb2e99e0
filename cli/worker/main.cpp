// The program hone-worker: runs kernels for the program that started it and talks to it over
// descriptor 3.
#include <signal.h>
#include <sys/prctl.h>

#include "base/process.h"
#include "worker/serve.h"

int main() {
  // A kernel that runs for long would not see that nobody waits for it any more.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return hone::worker::serve(hone::worker::Channel(hone::Descriptor(hone::kInheritedDescriptor)));
}
