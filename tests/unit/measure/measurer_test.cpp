#include "measure/measurer.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "base/error.h"
#include "task_data.h"

namespace hone::measure {
namespace {

Options quick(int threads = 1) {
  Options options;
  options.threads = threads;
  options.run_limit_s = 0.2;
  options.build_limit_s = 0.1;
  return options;
}

// A measurer that has its task.
struct Bench {
  Measurer measurer;
  explicit Bench(Options options = quick(), const TaskData& task = raw_task())
      : measurer(std::move(options)) {
    measurer.begin(task);
  }
  Measurement operator()(Build build) { return measurer.measure({std::move(build)}).at(0); }
  Measurement operator()(const char* name) { return (*this)(built(name)); }
};

bool processors(int wanted) { return sysconf(_SC_NPROCESSORS_ONLN) >= wanted; }

TEST(Measurer, TimesAndChecksAGoodKernel) {
  Bench bench;
  const Measurement result = bench("add");
  ASSERT_EQ(result.status, Status::Ok) << result.message;
  EXPECT_TRUE(result.checked);
  EXPECT_GE(result.seconds.size(), 3u);
  EXPECT_GT(result.best_s(), 1e-9);
  EXPECT_LT(result.best_s(), 1e-4);
  EXPECT_GE(result.noise, 0);
  EXPECT_GT(result.run_s, result.best_s());
  EXPECT_GT(result.build_s, 0);
}

TEST(Measurer, GivesEveryFailureItsStatusAndGoesOn) {
  struct Case {
    const char* kernel;
    Status status;
    const char* message;
    int lost;  // workers, after this one
  };
  const std::vector<Case> cases = {
      {"add", Status::Ok, "", 0},
      {"subtract", Status::WrongAnswer, "C[0] is ", 0},
      {"forget_last", Status::WrongAnswer, "C[999] is -nan", 0},
      {"add", Status::Ok, "", 0},
      {"crash", Status::Runtime, "crashed: Illegal instruction", 1},
      {"add", Status::Ok, "", 1},
      {"hang", Status::RunTimeout, "still running after 0.2 s", 2},
      {"add", Status::Ok, "", 2},
      {"write_far_behind", Status::Runtime, "out of bounds, beside C", 3},
      {"add", Status::Ok, "", 3},
      {"write_input", Status::Runtime, "wrote to its input A", 4},
      {"add", Status::Ok, "", 4},
  };
  Bench bench;
  for (const Case& one : cases) {
    const Measurement result = bench(one.kernel);
    EXPECT_EQ(result.status, one.status) << one.kernel << ": " << result.message;
    EXPECT_NE(result.message.find(one.message), std::string::npos)
        << one.kernel << ": " << result.message;
    EXPECT_EQ(result.seconds.empty(), one.status != Status::Ok) << one.kernel;
    EXPECT_EQ(bench.measurer.workers_lost(), one.lost) << one.kernel;
  }
}

// A few bytes beside a buffer hit no guard page; the pattern there tells. Without expected answers the
// kernel's own fault is the only one.
TEST(Measurer, SeesSmallWritesOutOfBounds) {
  TaskData task = raw_task();
  task.samples.clear();
  Bench bench(quick(), task);
  for (const auto& [kernel, message] : {std::pair{"write_behind", "wrote out of bounds, behind C"},
                                        {"write_before", "wrote out of bounds, before C"}}) {
    const Measurement result = bench(kernel);
    EXPECT_EQ(result.status, Status::Runtime) << kernel;
    EXPECT_EQ(result.message, message);
    EXPECT_EQ(bench("add").status, Status::Ok);
  }
  EXPECT_EQ(bench.measurer.workers_lost(), 2);
  EXPECT_FALSE(bench("add").checked);
}

TEST(Measurer, ComparesEveryElementWithTheReference) {
  TaskData task = raw_task();
  task.samples.clear();
  task.reference = test::raw_kernel("add");
  Bench bench(quick(), task);
  EXPECT_EQ(bench("use_scratch").status, Status::Ok);
  EXPECT_EQ(bench("forget_last").status, Status::WrongAnswer);
  // The replaced worker has the reference again.
  EXPECT_EQ(bench("crash").status, Status::Runtime);
  EXPECT_EQ(bench("forget_last").status, Status::WrongAnswer);
  EXPECT_EQ(bench("add").status, Status::Ok);
}

TEST(Measurer, RefusesAReferenceThatContradictsTheSamples) {
  TaskData task = raw_task();
  task.reference = test::raw_kernel("subtract");
  Measurer measurer(quick());
  EXPECT_THROW(measurer.begin(task), InternalError);
}

TEST(Measurer, PacksConstantsAsTheKernelReadsThem) {
  Bench bench;
  EXPECT_EQ(bench("add_packed").status, Status::Ok);
  EXPECT_EQ(bench("add").status, Status::Ok);
  EXPECT_EQ(bench("add_packed").status, Status::Ok);
}

TEST(Measurer, RunsKernelsOfSeveralThreads) {
  if (!processors(2)) GTEST_SKIP() << "one processor only";
  Bench bench(quick(2));
  EXPECT_EQ(bench("add_parallel").status, Status::Ok);
  EXPECT_EQ(bench("add").status, Status::Ok);
  EXPECT_EQ(bench("crash_on_thread_1").status, Status::Runtime);
  EXPECT_EQ(bench("hang").status, Status::RunTimeout);
  EXPECT_EQ(bench("add_parallel").status, Status::Ok);
}

TEST(Measurer, AFailedBuildIsAResult) {
  Bench bench;
  EXPECT_EQ(bench([]() -> codegen::Kernel { throw UserError("no such loop"); }).status,
            Status::Instantiation);
  EXPECT_EQ(bench([]() -> codegen::Kernel { fail("a bug"); }).status, Status::CompileHost);
  EXPECT_EQ(bench([]() -> codegen::Kernel { throw std::bad_alloc(); }).status, Status::CompileHost);
  const Measurement late = bench([] {
    usleep(150'000);
    return test::raw_kernel("add");
  });
  EXPECT_EQ(late.status, Status::BuildTimeout);
  EXPECT_GT(late.build_s, 0.1);
  EXPECT_EQ(bench("add").status, Status::Ok);
  EXPECT_EQ(bench.measurer.workers_lost(), 0);
}

TEST(Measurer, StopsLosersEarly) {
  Bench bench;
  ASSERT_EQ(bench("add").status, Status::Ok);
  const double best = bench.measurer.best_s();
  const Measurement slow = bench("add_slowly");
  ASSERT_EQ(slow.status, Status::Ok);
  EXPECT_EQ(slow.seconds.size(), 1u);
  EXPECT_GT(slow.best_s(), 100 * best);
  EXPECT_EQ(bench.measurer.best_s(), best);
}

// All in one batch, in their order, with the events that a display needs.
void measures_a_mixed_batch(int threads) {
  if (!processors(threads)) GTEST_SKIP() << "not enough processors";
  const std::vector<std::pair<const char*, Status>> kinds = {{"add", Status::Ok},
                                                             {"crash", Status::Runtime},
                                                             {"use_scratch", Status::Ok},
                                                             {"subtract", Status::WrongAnswer}};
  std::vector<Build> candidates;
  for (int i = 0; i < 40; ++i) candidates.push_back(built(kinds[i % kinds.size()].first));
  Bench bench(quick(threads));
  std::size_t n_built = 0, n_measured = 0, n_lost = 0;
  const std::vector<Measurement> results = bench.measurer.measure(candidates, [&](const Event& event) {
    if (const auto* one = std::get_if<CandidateBuilt>(&event)) {
      EXPECT_EQ(one->candidate, n_built++);
    }
    if (const auto* one = std::get_if<CandidateMeasured>(&event)) {
      EXPECT_EQ(one->candidate, n_measured++);
    }
    if (std::holds_alternative<WorkerLost>(event)) ++n_lost;
  });
  ASSERT_EQ(results.size(), candidates.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].status, kinds[i % kinds.size()].second) << i << ": " << results[i].message;
  }
  EXPECT_EQ(n_built, 40u);
  EXPECT_EQ(n_measured, 40u);
  EXPECT_EQ(n_lost, 10u);
  EXPECT_EQ(bench.measurer.workers_lost(), 10);
}
TEST(Measurer, MeasuresAMixedBatch) { measures_a_mixed_batch(1); }
TEST(Measurer, MeasuresAMixedBatchOnTwoThreads) { measures_a_mixed_batch(2); }

TEST(Measurer, SwitchesTasks) {
  Bench bench;
  EXPECT_EQ(bench("add").status, Status::Ok);
  EXPECT_GT(bench.measurer.best_s(), 0);
  TaskData other = raw_task();
  other.seed = 8;
  bench.measurer.begin(other);
  EXPECT_EQ(bench.measurer.best_s(), 0);
  EXPECT_EQ(bench("add").status, Status::WrongAnswer) << "the samples are those of seed 7";
  EXPECT_EQ(bench.measurer.workers_lost(), 0);
}

TEST(Measurer, TimesColdConstants) {
  Options options = quick();
  options.timing.cold_constants = true;
  Bench bench(options);
  const Measurement result = bench("add");
  EXPECT_EQ(result.status, Status::Ok) << result.message;
  EXPECT_GE(result.seconds.size(), 3u);
}

TEST(Measurer, ExplainsAMissingWorker) {
  Options options = quick();
  options.worker = "/nowhere/hone-worker";
  Measurer measurer(options);
  EXPECT_THROW(measurer.begin(raw_task()), UserError);
}

TEST(Measurer, RefusesMoreThreadsThanProcessors) { EXPECT_THROW(Measurer(quick(100'000)), UserError); }

std::set<std::string> open_descriptors() {
  std::set<std::string> names;
  DIR* folder = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(folder)) names.insert(entry->d_name);
  closedir(folder);
  return names;
}

TEST(Measurer, LeavesNeitherDescriptorsNorProcessesBehind) {
  const std::set<std::string> before = open_descriptors();
  {
    Bench bench;
    for (int i = 0; i < 5; ++i) {
      bench("add");
      bench("crash");
      bench("hang");
    }
    bench("add");
    // The worker itself and its socket.
    EXPECT_EQ(open_descriptors().size(), before.size() + 1);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), 0) << "one child, and it runs";
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace hone::measure
