// The workloads of real networks that others tuned, as TVM printed them.
#include <gtest/gtest.h>

#include <set>

#include "task/analysis.h"
#include "task/key.h"
#include "tests/shared_data.h"
#include "tests/unit/task/workloads.h"

namespace hone::task {
namespace {

std::string workloads_file() { return shared_file("data/workload_dags.jsonl.gz"); }

// The file's texts lack the last newline. A key covers bodies without their cut, so it also shows that
// the cut ones are restored right.
TEST(PublicWorkloads, AllParsePrintAsTheyWereAndHaveTheirKeys) {
  HONE_REQUIRE_FILE(workloads_file());
  int n_workloads = 0;
  for_each_object(workloads_file(), [&](const simdjson::dom::element& entry) {
    const std::string key = text_at(entry, "workload_key"), dag = text_at(entry, "dag");
    const Task task = parse(dag, {key, {}});
    EXPECT_EQ(print_as_tvm(task), dag + "\n");
    EXPECT_EQ(tvm_key(task), key);
    EXPECT_GT(flop_count(task), 0) << dag;
    ++n_workloads;
  });
  EXPECT_EQ(n_workloads, 3851);
}

TEST(PublicWorkloads, WhatHonePrintsParsesToTheSameTask) {
  HONE_REQUIRE_FILE(workloads_file());
  std::set<std::string> seen, canonical;
  for_each_object(workloads_file(), [&](const simdjson::dom::element& entry) {
    const std::string key = text_at(entry, "workload_key");
    if (!seen.insert(key.substr(0, key.find(','))).second) return;  // one of each structure
    const Task task = parse(text_at(entry, "dag"), {key, {}});
    const Task again = parse(print(task), context_of(task));
    EXPECT_EQ(print(again), print(task));
    EXPECT_EQ(canonical_key(again), canonical_key(task));
    canonical.insert(canonical_key(task));
  });
  EXPECT_EQ(seen.size(), 299U);
  EXPECT_GT(canonical.size(), 250U);  // some differ in names only
}

}  // namespace
}  // namespace hone::task
