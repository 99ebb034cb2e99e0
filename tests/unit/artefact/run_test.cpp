// Artefacts written, opened through the C API and run.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/unit/artefact/run_small_network.h"

namespace hone::artefact {
namespace {

class Run : public testing::Test {
 protected:
  void TearDown() override { hone_set_threads(0); }
};

TEST_F(Run, AnswersAsTheDefinitionSays) {
  const ModelPointer model = open(write_small_network());
  const std::vector<float> x = SmallNetwork::input();
  expect_near(run(model.get(), x), SmallNetwork().answer(x));
}

TEST_F(Run, DescribesItself) {
  const ModelPointer model = open(write_small_network());
  const hone_description about = hone_describe(model.get());
  EXPECT_EQ(about.inputs, 1u);
  EXPECT_EQ(about.outputs, 4u);
  EXPECT_EQ(about.steps, 10u);
  EXPECT_EQ(about.tuned_threads, 2);
  EXPECT_EQ(about.target, target::to_string(target::host()));
  EXPECT_NE(std::string(about.manifest).find(R"("model": "small")"), std::string::npos)
      << about.manifest;
  EXPECT_NE(std::string(about.manifest).find(R"("record": 1)"), std::string::npos);
  hone_tensor tensor;
  ASSERT_EQ(hone_output(model.get(), 3, &tensor), HONE_OK);
  EXPECT_STREQ(tensor.name, "places");
  EXPECT_EQ(tensor.type, HONE_INT64);
  ASSERT_EQ(tensor.rank, 2u);
  EXPECT_EQ(tensor.shape[1], SmallNetwork::kBest);
  EXPECT_EQ(tensor.size_bytes, 8u * SmallNetwork::kRows * SmallNetwork::kBest);
  EXPECT_EQ(hone_output(model.get(), 4, &tensor), HONE_WRONG_USE);
  hone_step step;
  ASSERT_EQ(hone_step_at(model.get(), 2, &step), HONE_OK);
  EXPECT_STREQ(step.label, "/dense1");
  EXPECT_EQ(step.flop, 2.0 * 8 * 48 * 10);
  EXPECT_GE(step.bytes, (8u * 48 + 48 * 10 + 8 * 10) * 4);
}

TEST_F(Run, TheNumberOfThreadsChangesNoBit) {
  const ModelPointer model = open(write_small_network());
  const std::vector<float> x = SmallNetwork::input();
  ASSERT_EQ(hone_set_threads(1), HONE_OK);
  EXPECT_EQ(hone_threads(), 1);
  const SmallNetwork::Answer alone = run(model.get(), x);
  for (const int threads : {2, 3, 5, 1}) {
    ASSERT_EQ(hone_set_threads(threads), HONE_OK);
    EXPECT_EQ(hone_threads(), threads);
    const SmallNetwork::Answer together = run(model.get(), x);
    EXPECT_EQ(alone.y, together.y);
    EXPECT_EQ(alone.z, together.z);
    EXPECT_EQ(alone.places, together.places);
  }
  EXPECT_EQ(hone_set_threads(-1), HONE_WRONG_USE);
}

TEST_F(Run, EightThreadsAtOnceAreAllAnswered) {
  const ModelPointer model = open(write_small_network());
  ASSERT_EQ(hone_set_threads(2), HONE_OK);
  std::vector<SmallNetwork::Answer> expected(8);
  std::vector<std::vector<float>> inputs;
  for (std::uint64_t i = 0; i < 8; ++i) {
    inputs.push_back(SmallNetwork::input(i));
    expected[i] = run(model.get(), inputs[i]);
  }
  std::vector<int> wrong(8, 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 200; ++k) {
        const SmallNetwork::Answer answer = run(model.get(), inputs[i]);
        wrong[i] += answer.y != expected[i].y || answer.z != expected[i].z;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

TEST_F(Run, AProfileHasATimeForEveryStep) {
  const ModelPointer model = open(write_small_network());
  std::vector<std::int64_t> step_ns(10, 0);
  run(model.get(), SmallNetwork::input(), &step_ns);
  for (std::size_t i = 0; i < step_ns.size(); ++i) {
    if (i == 5) continue;  // the loop: its steps have their own times
    EXPECT_GT(step_ns[i], 0) << i;
  }
}

TEST_F(Run, WrongCallsAreRefusedWithAReason) {
  const ModelPointer model = open(write_small_network());
  std::vector<float> x = SmallNetwork::input();
  SmallNetwork::Answer out;
  hone_in in = {x.data(), x.size() * sizeof(float)};
  hone_out outs[] = {out_of(out.y), out_of(out.z), out_of(out.best), out_of(out.places)};
  const auto refused = [&](std::size_t inputs, const std::string& why) {
    EXPECT_EQ(hone_run(model.get(), &in, inputs, outs, 4), HONE_WRONG_USE);
    EXPECT_NE(std::string(hone_error()).find(why), std::string::npos) << hone_error();
  };
  refused(0, "1 inputs, and the call gives 0");
  in.size_bytes -= 4;
  refused(1, "input x has 640 bytes, and the call gives 636");
  in.size_bytes += 4;
  in.data = reinterpret_cast<const char*>(x.data()) + 1;
  refused(1, "input x is not aligned");
  in.data = x.data();
  outs[2].data = nullptr;
  refused(1, "output best is a null pointer");
}

TEST_F(Run, AForkedProcessHasItsOwnThreads) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "its tool allows no threads behind a fork";
#endif
  const ModelPointer model = open(write_small_network());
  ASSERT_EQ(hone_set_threads(2), HONE_OK);
  const std::vector<float> x = SmallNetwork::input();
  const SmallNetwork::Answer ours = run(model.get(), x);
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(run(model.get(), x).y == ours.y ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace hone::artefact
