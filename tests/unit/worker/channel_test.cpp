#include "worker/channel.h"

#include <gtest/gtest.h>

#include <thread>

namespace hone::worker {
namespace {

struct Pair {
  Channel a, b;
  Pair() {
    ChannelPair sockets = connected_sockets();
    a = Channel(std::move(sockets.ours));
    b = Channel(std::move(sockets.theirs));
  }
};

Prepare sample_message() {
  Prepare message;
  message.buffers = {{"A", ir::Scalar::F32, {2, 3}, 6, Role::Input},
                     {"", ir::Scalar::I8, {}, 1, Role::Output}};
  message.seed = 42;
  message.samples = {{1, 5, -0.5}};
  message.tolerances = {1e-6, 0};
  message.threads = 3;
  message.cpus = {1, 0};
  message.real_time = false;
  return message;
}

TEST(Channel, GivesBackWhatWasSent) {
  Pair pair;
  ASSERT_TRUE(pair.a.send(sample_message()));
  const auto got = pair.b.receive(1).as<Prepare>();
  Writer sent, received;
  sent(sample_message());
  received(got);
  EXPECT_EQ(sent.take(), received.take());
  EXPECT_EQ(got.buffers.at(0).shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(got.samples.at(0).expected, -0.5);
  EXPECT_FALSE(got.real_time);
}

TEST(Channel, PassesMessagesLargerThanASocketsBuffer) {
  Pair pair;
  worker::Run large;
  large.code.bytes.assign(8 << 20, std::byte{7});
  std::thread sender([&] { EXPECT_TRUE(pair.a.send(large)); });
  EXPECT_EQ(pair.b.receive(10).as<worker::Run>().code.bytes.size(), large.code.bytes.size());
  sender.join();
}

TEST(Channel, TimesOutAndNoticesTheEnd) {
  Pair pair;
  EXPECT_EQ(pair.b.receive(0.01).arrival, Arrival::TimedOut);
  pair.a.close();
  EXPECT_EQ(pair.b.receive(1).arrival, Arrival::Closed);
  EXPECT_FALSE(pair.b.send(Ready{}));
}

TEST(Channel, RefusesAnotherVersion) {
  Pair pair;
  const auto frame = Channel::frame(MessageKind::Ready, {}, kProtocolVersion + 1);
  ASSERT_EQ(write(pair.a.descriptor(), frame.data(), frame.size()), static_cast<ssize_t>(frame.size()));
  EXPECT_THROW(pair.b.receive(1), UserError);
}

// Cut anywhere, a message is refused, and none makes the reader allocate what it does not hold.
TEST(Channel, RefusesMessagesThatEndTooEarly) {
  Writer writer;
  writer(sample_message());
  const std::vector<std::byte> whole = writer.take();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    Packet packet;
    packet.kind = MessageKind::Prepare;
    packet.body.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW(packet.as<Prepare>(), InternalError) << length;
  }
  Packet huge;
  huge.kind = MessageKind::Prepare;
  huge.body.assign(8, std::byte{0x7F});
  EXPECT_THROW(huge.as<Prepare>(), InternalError);
  Packet longer;
  longer.kind = MessageKind::Prepare;
  longer.body = whole;
  longer.body.push_back(std::byte{0});
  EXPECT_THROW(longer.as<Prepare>(), InternalError);
}

}  // namespace
}  // namespace hone::worker
