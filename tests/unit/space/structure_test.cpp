#include "space/structure.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "task/catalogue.h"
#include "task/text.h"

namespace hone::space {
namespace {

std::map<std::string, StageRole> roles_of(const task::Task& task) {
  const std::vector<StageRole> roles = structure(task, task::analyse(task));
  std::map<std::string, StageRole> by_name;
  for (std::size_t i = 0; i < roles.size(); ++i) by_name[task.ops[i].name()] = roles[i];
  return by_name;
}
std::map<std::string, StageRole> roles_of(const std::string& op) { return roles_of(task::from_op(op)); }

TEST(Structure, TakesAMatmulsTailAsItsEpilogue) {
  const auto roles = roles_of("matmul:m=8,n=8,k=8+bias+relu");
  EXPECT_EQ(roles.at("C").role, Role::Tiled);
  EXPECT_EQ(roles.at("bias_add").role, Role::Inline);
  EXPECT_EQ(roles.at("relu").role, Role::Epilogue);
}

TEST(Structure, InlinesThePaddingOfAConvolution) {
  EXPECT_EQ(roles_of("conv2d:ci=4,hw=6,co=4,k=3,p=1").at("pad").role, Role::Inline);
}

TEST(Structure, ATransposedFactorOfOneReaderMayFillAPanel) {
  const auto roles = roles_of("transpose_batch_matmul:b=1,seq=16,heads=2,dim=8");
  EXPECT_EQ(roles.at("QT").role, Role::Inline);
  EXPECT_EQ(roles.at("KT").role, Role::Inline);
  EXPECT_EQ(roles.at("O").role, Role::Tiled);
  EXPECT_EQ(roles.at("O").panels, (std::vector<int>{1, 3}));
}

TEST(Structure, ATransposedFactorOfSeveralReadersIsLaidOutFirst) {
  const auto roles =
      roles_of(task::parse("A = PLACEHOLDER [16, 8]\n"
                           "K = PLACEHOLDER [16, 8]\n"
                           "KT(d, s) = K[s, d]\n"
                           "O(i, j) += (A[i, k]*KT[k, j])\n"
                           "B = PLACEHOLDER [16, 8]\n"
                           "P(i, j) += (B[i, k]*KT[k, j])\n"
                           "R(i, j) = (O[i, j] + P[i, j])\n"));
  EXPECT_EQ(roles.at("KT").role, Role::Rows);
  EXPECT_EQ(roles.at("O").role, Role::Tiled);
}

TEST(Structure, WinogradWorksPatchByPatch) {
  auto roles = roles_of("winograd:ci=16,hw=14,co=16,p=1");
  EXPECT_EQ(roles["data_pad"].role, Role::Rows);
  EXPECT_EQ(roles["input_tile"].role, Role::Inline);
  EXPECT_EQ(roles["B"].role, Role::Inline);
  EXPECT_EQ(roles["data_pack_columns"].role, Role::InPatch);
  EXPECT_EQ(roles["data_pack"].role, Role::Patches);
  EXPECT_EQ(roles["bgemm"].role, Role::Tiled);
  EXPECT_EQ(roles["inverse_columns"].role, Role::InPatch);
  EXPECT_EQ(roles["inverse"].role, Role::InPatch);
  EXPECT_EQ(roles["conv2d_winograd"].role, Role::Patches);
}

// The 16 tiles are four rows of four; an output patch is four by four.
TEST(Structure, PiecesFollowTheIndexArithmetic) {
  auto roles = roles_of("winograd:ci=16,hw=14,co=16,p=1");
  EXPECT_EQ(roles["data_pack"].pieces, (std::vector<std::int64_t>{1, 1, 4, 1}));
  EXPECT_EQ(roles["conv2d_winograd"].pieces, (std::vector<std::int64_t>{1, 4, 4, 1}));
}

TEST(Structure, WinogradsPatchesReachThroughItsTail) {
  auto roles = roles_of("winograd:ci=16,hw=14,co=16,p=1+bias+relu");
  EXPECT_EQ(roles["conv2d_winograd"].role, Role::Inline);
  EXPECT_EQ(roles["relu"].role, Role::Patches);
  EXPECT_EQ(roles["relu"].pieces, (std::vector<std::int64_t>{1, 4, 4, 1}));
  EXPECT_EQ(roles["inverse"].role, Role::InPatch);
}

}  // namespace
}  // namespace hone::space
