#include "train/arguments.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "train/options.h"

namespace hone::train {
namespace {

std::string hint_of(const std::vector<std::string>& words) {
  try {
    parse_arguments(words);
    return "";
  } catch (const UserError& error) {
    return error.hint();
  }
}

TEST(Arguments, AreRead) {
  const Arguments read = parse_arguments({"a.hds", "--kind", "tlp", "--set", "heads=4", "--set",
                                          "seed=2", "-o", "out", "--fold", "1/5", "--resume"});
  EXPECT_EQ(read.sets, std::vector<std::string>{"a.hds"});
  EXPECT_EQ(read.kind, "tlp");
  EXPECT_EQ(read.settings, (std::vector<std::string>{"heads=4", "seed=2"}));
  EXPECT_EQ(read.left_out.number, 1U);
  EXPECT_EQ(read.left_out.of, 5U);
  EXPECT_TRUE(read.resume);
}

TEST(Arguments, NameSeveralSetsAndATarget) {
  const Arguments read = parse_arguments({"a.hds", "--fold-by", "task", "--fold", "1/5", "b.hds", "-o",
                                          "out", "--target", "b", "--target-labels", "0"});
  EXPECT_EQ(read.sets, (std::vector<std::string>{"a.hds", "b.hds"}));
  EXPECT_EQ(read.target.platform, "b");
  EXPECT_EQ(read.target.labels, 0U);
  EXPECT_EQ(read.left_out.by, FoldBy::Task);
  EXPECT_EQ(read.left_out.of, 5U);
}

TEST(Arguments, WhatCannotBeMeantIsRefused) {
  EXPECT_EQ(hint_of({"a.hds", "-o", "out", "--kinds"}), "did you mean '--kind'?");
  EXPECT_NE(hint_of({"a.hds"}), "");
  EXPECT_NE(hint_of({"-o", "out"}), "");
  EXPECT_NE(hint_of({"a.hds", "-o"}), "");
  EXPECT_NE(hint_of({"--predict", "a.hds", "b.hds", "--scorer", "s", "-o", "out"}), "");
  EXPECT_EQ(hint_of({"a.hds", "-o", "out", "--fold-by", "tasks"}), "did you mean 'task'?");
  EXPECT_NE(hint_of({"a.hds", "-o", "out", "--target-labels", "5"}), "");
  EXPECT_NE(hint_of({"a.hds", "-o", "out", "--target", "x", "--target-labels", "5", "--target-programs",
                     "file"}),
            "");
  EXPECT_NE(hint_of({"a.hds", "-o", "out", "--fold", "5/5"}), "");
  EXPECT_NE(hint_of({"--predict", "a.hds", "-o", "out"}), "");
  EXPECT_NE(hint_of({"a.hds", "-o", "out", "--resume", "--fresh"}), "");
}

TEST(Options, UnknownNamesAndWrongValuesAreRefused) {
  Options options = {{"heads", "8", "of attention"}, {"clip", "0.5", "of the gradient"}};
  EXPECT_THROW(options.set("head", "4"), UserError);
  EXPECT_THROW(options.set_all({"heads"}), UserError);
  options.set_all({"heads=4x", "clip=-1"});
  EXPECT_THROW(options.whole("heads"), UserError);
  EXPECT_THROW(options.number("clip"), UserError);
  options.set_all({"clip=nan"});
  EXPECT_THROW(options.number("clip"), UserError);
}

}  // namespace
}  // namespace hone::train
