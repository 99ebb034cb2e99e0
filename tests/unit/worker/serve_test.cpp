// A real worker, spoken to message by message.
#include "worker/serve.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/process.h"
#include "base/shared_memory.h"
#include "kernels/raw_kernels.h"

namespace hone::worker {
namespace {

struct Client {
  Process process;
  Channel channel;

  explicit Client(ChannelPair sockets)
      : process(Process::start(HONE_WORKER_PROGRAM, {}, sockets.theirs)),
        channel(std::move(sockets.ours)) {}
  Client() : Client(connected_sockets()) {}

  Packet receive() { return channel.receive(10); }
};

ChannelPair tcp_sockets() {
  const Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(bind(listener.get(), generic, size), 0);
  EXPECT_EQ(listen(listener.get(), 1), 0);
  getsockname(listener.get(), generic, &size);
  Descriptor ours(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(connect(ours.get(), generic, size), 0);
  Descriptor theirs(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  return {std::move(ours), std::move(theirs)};
}

Prepare raw_task() {
  Prepare task;
  for (const auto& [name, role] :
       {std::pair{"A", Role::Input}, {"W", Role::Constant}, {"C", Role::Output}}) {
    task.buffers.push_back({name, ir::Scalar::F32, {test::kElements}, test::kElements, role});
  }
  task.tolerances.assign(3, 1e-6);
  return task;
}

Run run_request(const codegen::Kernel& kernel) {
  Run request;
  request.code.size_bytes = kernel.image.size();
  request.code.entry = kernel.entry;
  return request;
}

TEST(Serve, TakesCodeFromSharedMemory) {
  Client client;
  ASSERT_TRUE(client.channel.passes_descriptors());
  client.channel.send(raw_task());
  EXPECT_EQ(client.receive().as<Ready>().threads, 1);
  const codegen::Kernel kernel = test::raw_kernel("add");
  client.channel.send(run_request(kernel), share(kernel.image));
  EXPECT_EQ(client.receive().as<Outcome>().status, Status::Ok);
}

TEST(Serve, TakesCodeInlineOverANetworkSocket) {
  Client client(tcp_sockets());
  ASSERT_FALSE(client.channel.passes_descriptors());
  client.channel.send(raw_task());
  EXPECT_EQ(client.receive().as<Ready>().failure, "");
  for (const auto& [name, status] : {std::pair{"add", Status::Ok}, {"crash", Status::Runtime}}) {
    const codegen::Kernel kernel = test::raw_kernel(name);
    worker::Run request = run_request(kernel);
    request.code.bytes = kernel.image;
    client.channel.send(request);
    EXPECT_EQ(client.receive().as<Outcome>().status, status);
  }
  EXPECT_EQ(client.receive().arrival, Arrival::Closed);
}

TEST(Serve, EndsWhenTheClientHangsUp) {
  Client client;
  client.channel.close();
  EXPECT_EQ(client.process.wait(), "exit code 0");
}

TEST(Serve, RefusesAnotherVersion) {
  Client client;
  const std::vector<std::byte> frame = Channel::frame(MessageKind::Run, {}, kProtocolVersion + 1);
  ASSERT_EQ(write(client.channel.descriptor(), frame.data(), frame.size()),
            static_cast<ssize_t>(frame.size()));
  const auto answer = client.receive().as<Outcome>();
  EXPECT_EQ(answer.status, Status::Unknown);
  EXPECT_NE(answer.message.find("speaks protocol version 3, this one speaks 2"), std::string::npos)
      << answer.message;
  EXPECT_EQ(client.process.wait(), "exit code 1");
}

TEST(Serve, RefusesNonsense) {
  for (const std::vector<std::byte>& bytes :
       {std::vector<std::byte>(24, std::byte{0x55}),
        Channel::frame(MessageKind::Prepare, {}, kProtocolVersion),
        Channel::frame(MessageKind{99}, {}, kProtocolVersion), Channel::frame(Outcome{}),
        Channel::frame(worker::Run{})}) {
    Client client;
    ASSERT_EQ(write(client.channel.descriptor(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    EXPECT_EQ(client.receive().as<Outcome>().status, Status::Unknown);
    EXPECT_EQ(client.process.wait(), "exit code 1");
  }
}

TEST(Serve, SaysWhenATaskDoesNotFit) {
  Client client;
  Prepare task = raw_task();
  task.buffers[0].elements = std::int64_t{1} << 60;
  client.channel.send(task);
  EXPECT_NE(client.receive().as<Ready>().failure.find("no memory for A"), std::string::npos);
}

}  // namespace
}  // namespace hone::worker
