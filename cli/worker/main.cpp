// The program hone-worker: runs kernels for the program that started it and talks to it over
// descriptor 3.
#include "base/process.h"
#include "worker/serve.h"

int main() {
  return hone::worker::serve(hone::worker::Channel(hone::Descriptor(hone::kInheritedDescriptor)));
}
