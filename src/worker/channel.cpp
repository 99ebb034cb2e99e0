#include "worker/channel.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>

#include "base/clock.h"

namespace hone::worker {
namespace {

struct Header {
  std::uint32_t magic;
  std::uint32_t version;
  MessageKind kind;
  std::uint32_t unused;
  std::uint64_t body_bytes;
};
static_assert(sizeof(Header) == 24, "headers have no padding");

constexpr std::uint32_t kMagic = 0x656e6f68;                // "hone"
constexpr std::uint64_t kMaxBody = std::uint64_t{1} << 30;  // more is no message of ours
constexpr std::size_t kControlBytes = CMSG_SPACE(sizeof(int));

// Room for one descriptor beside the bytes of a message.
struct Control {
  alignas(cmsghdr) char bytes[kControlBytes] = {};
};

Descriptor attached_to(msghdr& message) {
  const cmsghdr* control = CMSG_FIRSTHDR(&message);
  if (control == nullptr || control->cmsg_type != SCM_RIGHTS) return {};
  int number = -1;
  std::memcpy(&number, CMSG_DATA(control), sizeof number);
  return Descriptor(number);
}

// Fills `size` bytes before `end_s`, taking up a descriptor on the way.
Arrival receive_bytes(int socket, void* data, std::size_t size, double end_s, Descriptor& attached) {
  auto* next = static_cast<char*>(data);
  while (size > 0) {
    const double left_ms = (end_s - now_s()) * 1e3;
    const int wait_ms =
        std::isinf(end_s) ? -1 : static_cast<int>(std::clamp(std::ceil(left_ms), 0.0, 1e9));
    pollfd waiting{socket, POLLIN, 0};
    const int ready = poll(&waiting, 1, wait_ms);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return Arrival::TimedOut;
    Control control;
    iovec part{next, size};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    const ssize_t n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return Arrival::Closed;
    if (Descriptor got = attached_to(message); got.valid()) attached = std::move(got);
    next += n;
    size -= static_cast<std::size_t>(n);
  }
  return Arrival::Message;
}

}  // namespace

Channel::Channel(Descriptor socket) : socket_(std::move(socket)) {
  int domain = 0;
  socklen_t size = sizeof domain;
  local_ = getsockopt(socket_.get(), SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

std::vector<std::byte> Channel::frame(MessageKind kind, const std::vector<std::byte>& body,
                                      std::uint32_t version) {
  const Header header{kMagic, version, kind, 0, body.size()};
  std::vector<std::byte> bytes(sizeof header + body.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::copy(body.begin(), body.end(), bytes.begin() + sizeof header);
  return bytes;
}

bool Channel::send_bytes(const std::vector<std::byte>& bytes, const Descriptor& attached) {
  check(!attached.valid() || local_, "a descriptor can only be attached on this machine");
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    iovec part{const_cast<std::byte*>(bytes.data() + sent), bytes.size() - sent};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    Control control;
    if (sent == 0 && attached.valid()) {
      message.msg_control = control.bytes;
      message.msg_controllen = sizeof control.bytes;
      cmsghdr* rights = CMSG_FIRSTHDR(&message);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(sizeof(int));
      const int number = attached.get();
      std::memcpy(CMSG_DATA(rights), &number, sizeof number);
    }
    const ssize_t n = sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

Packet Channel::receive(double limit_s) {
  const double end_s = limit_s < 0 ? INFINITY : now_s() + limit_s;
  Packet packet;
  Header header{};
  packet.arrival = receive_bytes(socket_.get(), &header, sizeof header, end_s, packet.attached);
  if (packet.arrival != Arrival::Message) return packet;
  check(header.magic == kMagic && header.body_bytes <= kMaxBody,
        "what arrived is no message of hone's");
  if (header.version != kProtocolVersion) {
    throw UserError(fmt::format("the other side speaks protocol version {}, this one speaks {}",
                                header.version, kProtocolVersion),
                    "hone and hone-worker must come from the same build");
  }
  packet.kind = header.kind;
  packet.body.resize(header.body_bytes);
  packet.arrival =
      receive_bytes(socket_.get(), packet.body.data(), packet.body.size(), end_s, packet.attached);
  return packet;
}

ChannelPair connected_sockets() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw UserError("cannot make a pair of sockets: " + std::string(std::strerror(errno)),
                    "raise the limit on open files");
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace hone::worker
