#include "benchmarks/torch_peer.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cstring>
#include <sstream>

#include "base/error.h"
#include "model/tensor_file.h"

namespace hone::bench {
namespace {

// Our end and theirs.
std::pair<Descriptor, Descriptor> connected() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw UserError("there are no file descriptors left");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// Empty at the end.
std::string read_line(const Descriptor& from) {
  std::string line;
  for (char next = 0; ::read(from.get(), &next, 1) == 1 && next != '\n';) line += next;
  return line;
}

void require_end(const std::string& program, const std::string& ending) {
  if (ending != "exit code 0") throw UserError(fmt::format("{} ended with {}", program, ending));
}

}  // namespace

TorchPeer::TorchPeer(const std::string& program, const std::string& scorer, const std::string& set,
                     const std::string& scores, int threads)
    : program_(program), scores_(scores) {
  auto [ours, theirs] = connected();
  ours_ = std::move(ours);
  process_ =
      Process::start(program,
                     {"--time", set, "--scorer", scorer, "-o", scores, "--device", "cpu", "--threads",
                      std::to_string(threads), "--progress-fd", std::to_string(kInheritedDescriptor)},
                     theirs);
}

Seconds TorchPeer::time() {
  if (::send(ours_.get(), "\n", 1, MSG_NOSIGNAL) != 1) throw UserError(program_ + " does not listen");
  Seconds seconds;
  std::istringstream answer(read_line(ours_));
  if (!(answer >> seconds.wall >> seconds.busy)) require_end(program_, process_.kill() + " too early");
  return seconds;
}

std::vector<float> TorchPeer::finish() {
  ::shutdown(ours_.get(), SHUT_WR);
  require_end(program_, process_.wait());
  const model::Tensor scores = model::read_tensors(scores_).front().tensor;
  std::vector<float> out(scores.bytes().size() / sizeof(float));
  std::memcpy(out.data(), scores.bytes().data(), scores.bytes().size());
  return out;
}

void train_briefly(const std::string& program, const std::string& kind, const std::string& set,
                   const std::string& scorer) {
  auto [ours, theirs] = connected();
  Process process =
      Process::start(program,
                     {set, "--kind", kind, "-o", scorer, "--set", "epochs=1", "--set", "seed=1",
                      "--device", "cpu", "--progress-fd", std::to_string(kInheritedDescriptor)},
                     theirs);
  theirs = Descriptor();
  while (!read_line(ours).empty()) {
  }
  require_end(program, process.wait());
}

}  // namespace hone::bench
