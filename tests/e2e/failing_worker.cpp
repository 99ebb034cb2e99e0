// A worker in whose hands every candidate fails, for what cannot be made to fail otherwise: it answers
// all requests and runs nothing.
#include "base/process.h"
#include "worker/channel.h"

int main() {
  using namespace hone::worker;  // NOLINT(google-build-using-namespace): a program about one folder
  Channel channel{hone::Descriptor(hone::kInheritedDescriptor)};
  for (int runs = 0;;) {
    const Packet packet = channel.receive(-1);
    if (packet.arrival != Arrival::Message) return 0;
    Outcome outcome;
    if (packet.kind == MessageKind::Prepare) {
      channel.send(Ready{false, packet.as<Prepare>().threads, {}});
      continue;
    }
    if (packet.kind == MessageKind::Run) {
      outcome.status = runs++ % 3 == 0 ? Status::RunTimeout : Status::WrongAnswer;
      outcome.message = "it was not run";
    }
    channel.send(outcome);
  }
}
