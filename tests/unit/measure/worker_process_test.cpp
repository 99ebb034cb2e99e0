#include "measure/worker_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "task_data.h"

namespace hone::measure {
namespace {

worker::Prepare prepared() {
  const TaskData task = raw_task();
  worker::Prepare prepare;
  prepare.buffers = task.buffers;
  prepare.seed = task.seed;
  prepare.samples = task.samples;
  prepare.tolerances = task.tolerances;
  return prepare;
}

Status run(WorkerProcess& worker, const char* name) {
  return worker.run(test::raw_kernel(name), {}, true, 5).status;
}

void kill_idle(const WorkerProcess& worker) {
  ASSERT_EQ(kill(worker.process_id(), SIGKILL), 0);
  usleep(20'000);
}

TEST(WorkerProcess, StaysTheSameWhileItLives) {
  WorkerProcess worker(find_worker());
  worker.prepare(prepared(), {});
  const pid_t id = worker.process_id();
  EXPECT_EQ(run(worker, "add"), Status::Ok);
  EXPECT_EQ(run(worker, "subtract"), Status::WrongAnswer);
  worker.prepare(prepared(), {});
  EXPECT_EQ(run(worker, "add"), Status::Ok);
  EXPECT_EQ(worker.process_id(), id);
  EXPECT_EQ(worker.losses(), 0);
}

// Somebody else's doing, the system's when memory is short: the next kernel is not blamed for it.
TEST(WorkerProcess, AWorkerKilledIdleIsReplaced) {
  WorkerProcess worker(find_worker());
  worker.prepare(prepared(), {});
  kill_idle(worker);
  EXPECT_EQ(run(worker, "add"), Status::Ok);
  EXPECT_EQ(worker.losses(), 1);
  EXPECT_EQ(worker.loss_reason(), "died between two trials: signal 9");
  kill_idle(worker);
  worker.prepare(prepared(), {});
  EXPECT_EQ(worker.losses(), 2);
  EXPECT_EQ(run(worker, "add"), Status::Ok);
}

TEST(WorkerProcess, AProgramThatIsNoWorkerIsTheUsersError) {
  WorkerProcess worker("/bin/true");
  EXPECT_THROW(worker.prepare(prepared(), {}), UserError);
}

}  // namespace
}  // namespace hone::measure
