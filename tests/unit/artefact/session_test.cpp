#include "artefact/session.h"

#include "base/error.h"
#include "tests/unit/artefact/run_small_network.h"

namespace hone::artefact {
namespace {

model::Tensor tensor(const std::vector<float>& values, model::Shape shape) {
  model::Tensor out = model::Tensor::zeros(ir::Scalar::F32, std::move(shape));
  std::ranges::copy(std::as_bytes(std::span(values)), out.writable().begin());
  return out;
}

TEST(Session, RunsOnTensors) {
  const Session session(write_small_network());
  ASSERT_EQ(session.inputs().size(), 1u);
  EXPECT_EQ(session.inputs()[0].name, "x");
  const std::vector<float> x = SmallNetwork::input();
  const std::vector<model::Tensor> out = session.run(std::vector{tensor(x, {8, 20})});
  ASSERT_EQ(out.size(), 4u);
  const SmallNetwork::Answer expected = SmallNetwork().answer(x);
  for (std::size_t i = 0; i < expected.z.size(); ++i) {
    ASSERT_NEAR(out[1].as<float>()[i], expected.z[i], 1e-4);
  }
  EXPECT_EQ(session.steps()[9].kernel, "topk");
}

TEST(Session, AnInputOfAnotherShapeIsTheUsersMistake) {
  const Session session(write_small_network());
  try {
    session.run(std::vector{tensor(SmallNetwork::input(), {20, 8})});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "input x is float32 [8, 20], not float32 [20, 8]");
  }
  EXPECT_THROW(session.run(std::vector<model::Tensor>()), UserError);
  EXPECT_THROW(Session("there is no such file"), UserError);
}

// Tools look into artefacts of machines that they do not run on.
TEST(Session, ContentsAreReadOfAnyMachinesArtefact) {
  Artefact artefact = SmallNetwork().artefact(target::host(), 2);
  artefact.variants[0].target.features += ",+not-yet-invented";
  const std::string path = temporary_file("other.hone");
  write(build(artefact), path);
  EXPECT_THROW(Session{path}, UserError);
  const Contents contents = read_contents(path);
  EXPECT_EQ(contents.records, "{\"i\": \"a record's line\"}\n");
  EXPECT_TRUE(contents.manifest.starts_with(R"({"format": 1, "hone": ")")) << contents.manifest;
  EXPECT_TRUE(contents.manifest.ends_with("]}")) << contents.manifest;
}

}  // namespace
}  // namespace hone::artefact
