#include "tune/options.h"

#include <gtest/gtest.h>

namespace hone::tune {
namespace {

TEST(Options, TheFolderIsNamedAfterTheOperator) {
  Options options;
  options.op = "conv2d:n=1,ci=64,layout=nhwc+bias";
  options.threads = 2;
  EXPECT_EQ(default_folder(options), "runs/conv2d-n1-ci64-layoutnhwc-bias-t2");
  options.replay = "log.jsonl";
  EXPECT_EQ(default_folder(options), "runs/conv2d-n1-ci64-layoutnhwc-bias-replay");
  Options other = options;
  options.op = std::string(300, 'a') + "b";
  other.op = std::string(300, 'a') + "c";
  EXPECT_LT(default_folder(options).size(), 140u);
  EXPECT_NE(default_folder(options), default_folder(other));
}

TEST(Options, PrintAsToml) {
  Options options;
  options.op = "matmul:m=4";
  options.folder = "a \"b\"";
  options.budget_s = 90;
  options.search = SearchKind::Annealing;
  EXPECT_EQ(to_toml(options),
            "# The options of the last `hone tune` in this folder.\n"
            "[tune]\n"
            "op = \"matmul:m=4\"\n"
            "trials = 200\n"
            "budget_s = 90\n"
            "space = \"hone\"\n"
            "scorer = \"gbdt\"\n"
            "search = \"annealing\"\n"
            "seed = 1\n"
            "threads = 1\n"
            "folder = \"a \\\"b\\\"\"\n");
}

}  // namespace
}  // namespace hone::tune
