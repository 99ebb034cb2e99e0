// Messages over a connected stream socket: length before contents, version in every one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "worker/protocol.h"
#include "worker/wire.h"

namespace hone::worker {

enum class Arrival : std::uint8_t { Message, Closed, TimedOut };

struct Packet {
  Arrival arrival = Arrival::Closed;
  MessageKind kind{};
  std::vector<std::byte> body;
  Descriptor attached;

  template <class Message>
  Message as() const {
    check(kind == Message::kKind, "a message of another kind was due");
    Message message;
    Reader reader(body);
    reader(message);
    check(reader.at_end(), "a message is longer than its kind");
    return message;
  }
};

class Channel {
 public:
  Channel() = default;
  explicit Channel(Descriptor socket);

  bool open() const { return socket_.valid(); }
  void close() { socket_ = Descriptor(); }
  int descriptor() const { return socket_.get(); }
  // Whether the other side is on this machine, so that memory can be shared with it.
  bool passes_descriptors() const { return local_; }

  // False when the other side has gone.
  template <class Message>
  bool send(const Message& message, const Descriptor& attached = {}) {
    return send_bytes(frame(message), attached);
  }
  // Waits no longer than `limit_s` seconds; a negative limit waits for ever. UserError when the other
  // side speaks another version.
  Packet receive(double limit_s);

  // A message as it goes over the wire, for those who must not allocate when they send it.
  template <class Message>
  static std::vector<std::byte> frame(const Message& message) {
    Writer writer;
    writer(message);
    return frame(Message::kKind, writer.take(), kProtocolVersion);
  }
  static std::vector<std::byte> frame(MessageKind kind, const std::vector<std::byte>& body,
                                      std::uint32_t version);

 private:
  bool send_bytes(const std::vector<std::byte>& bytes, const Descriptor& attached);

  Descriptor socket_;
  bool local_ = false;
};

struct ChannelPair {
  Descriptor ours, theirs;
};
ChannelPair connected_sockets();

}  // namespace hone::worker
