#include "base/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "base/error.h"

namespace hone {
namespace {

Process shell(const std::string& command, const Descriptor& inherited) {
  return Process::start("/bin/sh", {"-c", command}, inherited);
}

struct Pipe {
  Descriptor read, write;
  Pipe() {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
  std::string text() {
    write = Descriptor();
    std::string all;
    char part[256];
    for (ssize_t n; (n = ::read(read.get(), part, sizeof part)) > 0;)
      all.append(part, static_cast<size_t>(n));
    return all;
  }
};

TEST(Process, SaysHowItEnded) {
  const Pipe pipe;
  EXPECT_EQ(shell("exit 7", pipe.write).wait(), "exit code 7");
  EXPECT_EQ(shell("kill -11 $$", pipe.write).wait(), "signal 11");
  Process sleeper = shell("sleep 100", pipe.write);
  EXPECT_TRUE(sleeper.running());
  EXPECT_EQ(sleeper.kill(), "signal 9");
  EXPECT_FALSE(sleeper.running());
}

TEST(Process, HasItsDescriptorAndNoOther) {
  Pipe pipe;
  const Descriptor leak(open("/dev/null", O_RDONLY));  // not marked to be closed
  Process process = shell("echo /proc/self/fd/* >&3", pipe.write);
  EXPECT_EQ(process.wait(), "exit code 0");
  const std::string open_ones = pipe.text();
  EXPECT_NE(open_ones.find("/proc/self/fd/3"), std::string::npos) << open_ones;
  EXPECT_EQ(open_ones.find("/proc/self/fd/" + std::to_string(leak.get())), std::string::npos)
      << open_ones;
}

TEST(Process, IsOutOfReachOfTheTerminalsInterrupt) {
  const Pipe pipe;
  const Process process = shell("sleep 100", pipe.write);
  EXPECT_EQ(getpgid(process.id()), process.id());
}

TEST(Process, IsKilledWhenItsOwnerGoes) {
  const Pipe pipe;
  pid_t id = -1;
  {
    const Process process = shell("sleep 100", pipe.write);
    id = process.id();
    EXPECT_EQ(::kill(id, 0), 0);
  }
  EXPECT_EQ(::kill(id, 0), -1);
}

TEST(Process, AMissingProgramIsTheUsersError) {
  const Pipe pipe;
  EXPECT_THROW(Process::start("/nowhere/at/all", {}, pipe.write), UserError);
}

}  // namespace
}  // namespace hone
