// What columns speak of.
#include "feature/aspects.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "feature/cpu_rows.h"
#include "feature/summary.h"

namespace hone::feature {
namespace {

Aspect of_statement(const std::string& name) {
  const auto& names = statement_names();
  return cpu_aspects()[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
}

SummaryAspect of_summary(const std::string& name) {
  const auto& names = summary_names();
  return summary_aspects()[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
}

TEST(Aspects, OfStatements) {
  EXPECT_EQ(cpu_aspects().size(), kCpuColumns);
  EXPECT_EQ(of_statement("float_mad"), Aspect::Arithmetic);
  EXPECT_EQ(of_statement("vec_len"), Aspect::Vector);
  EXPECT_EQ(of_statement("auto_unroll_max_step"), Aspect::Unroll);
  EXPECT_EQ(of_statement("B3.stride"), Aspect::Memory);
  EXPECT_EQ(of_statement("vthread_len"), Aspect::Threads);
  EXPECT_EQ(cpu_aspects()[cpu_column(CodeColumn::Cycles)], Aspect::Code);
}

TEST(Aspects, OfTheSummary) {
  EXPECT_EQ(summary_aspects().size(), summary_names().size());
  const auto is = [](const std::string& name, SummaryOf of, Aspect aspect) {
    return of_summary(name).of == of && of_summary(name).aspect == aspect;
  };
  EXPECT_TRUE(is("main.vector_fill", SummaryOf::Main, Aspect::Vector));
  EXPECT_TRUE(is("next.cache32.traffic", SummaryOf::Next, Aspect::Memory));
  EXPECT_TRUE(is("main.tile1.bytes", SummaryOf::Main, Aspect::Memory));
  EXPECT_TRUE(is("main.tile1.iterations", SummaryOf::Main, Aspect::Tiles));
  EXPECT_TRUE(is("serial_work", SummaryOf::Whole, Aspect::Parallel));
  EXPECT_TRUE(is("code.cycles", SummaryOf::Whole, Aspect::Code));
  EXPECT_TRUE(is("critical_work", SummaryOf::Whole, Aspect::Arithmetic));
}

}  // namespace
}  // namespace hone::feature
