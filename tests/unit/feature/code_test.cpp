#include "feature/code.h"

#include <gtest/gtest.h>

#include <cmath>

#include "feature/cpu_rows.h"
#include "schedule/step_json.h"
#include "task/text.h"

namespace hone::feature {
namespace {

constexpr std::string_view kMatmul =
    "A = PLACEHOLDER [512, 512]\n"
    "B = PLACEHOLDER [512, 512]\n"
    "C(i, j) += (A[i, k]*B[k, j])\n";

// Values of the columns, summed over the rows.
struct Code {
  std::vector<float> rows;

  double operator[](CodeColumn column) const {
    double sum = 0;
    for (std::size_t i = static_cast<std::size_t>(column); i < rows.size(); i += kCodeColumns)
      sum += std::exp2(static_cast<double>(rows[i])) - 1;
    return sum;
  }
};

Code code_of(std::string_view steps, int cores = 1, std::string_view dag = kMatmul,
             const CoreCosts& costs = {}) {
  const auto task = std::make_shared<const task::Task>(task::parse(dag));
  schedule::State state = schedule::replay(task, schedule::steps_from_json(steps));
  schedule::infer_bounds(state);
  target::Target target = target::parse("avx512");
  target.cores = cores;
  return {code_rows(loop_tree(state), std::vector<StageLayout>(4), target, costs)};
}

// Tiles of `rows` times `vectors` vectors of 16 around k, nothing else.
std::string tiled(int rows, int vectors, std::string_view more = "") {
  return "[[\"SP\", 2, 0, 512, [" + std::to_string(rows) + "], 1], [\"SP\", 2, 2, 512, [" +
         std::to_string(vectors) + ", 16], 1], [\"RE\", 2, [0, 2, 5, 1, 3, 4]], [\"AN\", 2, 5, 2]" +
         std::string(more) + "]";
}

TEST(Code, CountsTheRegisterTile) {
  const Code code = code_of(tiled(8, 2));
  EXPECT_NEAR(code[CodeColumn::Accumulators], 16, 1e-3);
  EXPECT_EQ(code[CodeColumn::Overflow], 0);
  EXPECT_NEAR(code[CodeColumn::Lanes], 16, 1e-3);
  EXPECT_NEAR(code[CodeColumn::Loads], 10.0 / 16, 1e-3);
  EXPECT_NEAR(code[CodeColumn::Steps], 64 * 16 * 512, 100);
  EXPECT_NEAR(code[CodeColumn::Ideal], 512.0 * 512 * 512 / 16, 1e3);
  EXPECT_NEAR(code[CodeColumn::Arithmetic], code[CodeColumn::Ideal], 1e3);
}

TEST(Code, TilesThatDoNotFitCost) {
  const Code fits = code_of(tiled(8, 2)), spills = code_of(tiled(16, 4));
  EXPECT_GT(spills[CodeColumn::Overflow], 0);
  EXPECT_GT(spills[CodeColumn::Cycles], 3 * fits[CodeColumn::Cycles]);
}

// 64 rows of sums of eight terms, all of it written out, in the order of j / 16, i, k and j % 16.
Code written_out(std::string_view order) {
  return code_of(
      "[[\"SP\", 2, 1, 64, [16], 1], [\"AN\", 2, 0, 1], [\"AN\", 2, 3, 1], [\"AN\", 2, 2, 2], [\"RE\", "
      "2, " +
          std::string(order) + "]]",
      1, "A = PLACEHOLDER [64, 8]\nB = PLACEHOLDER [8, 64]\nC(i, j) += (A[i, k]*B[k, j])\n");
}

TEST(Code, SumsOneAfterTheOtherNeedOneRegister) {
  const Code rows_first = written_out("[1, 3, 0, 2]"), sums_first = written_out("[1, 0, 3, 2]");
  EXPECT_NEAR(rows_first[CodeColumn::Accumulators], 64, 1e-3);
  EXPECT_GT(rows_first[CodeColumn::Overflow], 0);
  EXPECT_NEAR(sums_first[CodeColumn::Accumulators], 1, 1e-3);
  EXPECT_EQ(sums_first[CodeColumn::Overflow], 0);
  EXPECT_NEAR(sums_first[CodeColumn::Arithmetic], 64 * 8 * 4, 1);
  EXPECT_GT(rows_first[CodeColumn::Cycles], 2 * sums_first[CodeColumn::Cycles]);
}

TEST(Code, TilesAreCutAtTheEdge) {
  const double exact = code_of(tiled(8, 2))[CodeColumn::Arithmetic];
  EXPECT_NEAR(code_of(tiled(7, 2))[CodeColumn::Arithmetic], exact, 1e-3 * exact);
  EXPECT_NEAR(code_of(tiled(8, 3))[CodeColumn::Arithmetic], exact, 1e-3 * exact);
}

// Vectors of a large matrix in the order of two loops that are fused into one.
double near_traffic_of_fused(std::string_view order) {
  return code_of("[[\"SP\", 1, 1, 1024, [16], 1], [\"RE\", 1, " + std::string(order) +
                     "], [\"FU\", 1, [0, 1]], [\"AN\", 1, 1, 2]]",
                 1,
                 "A = PLACEHOLDER [1024, 1024]\nB(i, j) = max(A[i, j], 0f)\n")[CodeColumn::NearTraffic];
}

TEST(Code, FusedLoopsAreWalkedInTheirOrder) {
  EXPECT_GT(near_traffic_of_fused("[1, 0, 2]"), 2 * near_traffic_of_fused("[0, 1, 2]"));
}

TEST(Code, ScalarsAndShortTilesCost) {
  const Code tile = code_of(tiled(8, 2));
  const Code scalar = code_of("[]");
  EXPECT_GT(scalar[CodeColumn::Cycles], 10 * tile[CodeColumn::Cycles]);
  const Code narrow = code_of(tiled(1, 1));
  EXPECT_GT(narrow[CodeColumn::Cycles], 2 * tile[CodeColumn::Cycles]);
}

TEST(Code, CoresShareWhatIsParallel) {
  const std::string parallel = tiled(8, 2, R"(, ["AN", 2, 0, 3])");
  const Code one = code_of(parallel, 1), two = code_of(parallel, 2), three = code_of(parallel, 3);
  EXPECT_NEAR(two[CodeColumn::Cycles], one[CodeColumn::Cycles] / 2, 1e4);
  EXPECT_NEAR(three[CodeColumn::Issue], one[CodeColumn::Issue] * 22 / 64, 1e4)
      << "64 pieces, 22 at most";
  EXPECT_NEAR(code_of(tiled(8, 2), 2)[CodeColumn::Cycles], one[CodeColumn::Cycles], 1e4);
}

// A product whose second factor has rows of so many elements, blocked so that a part of it stays while
// rows of tiles go by, or not.
double near_traffic(int columns, bool is_blocked) {
  const std::string width = std::to_string(columns);
  const std::string dag = "A = PLACEHOLDER [512, 512]\nB = PLACEHOLDER [512, " + width +
                          "]\nC(i, j) += (A[i, k]*B[k, j])\n";
  const std::string tile =
      R"([["SP", 2, 0, 512, [8], 1], ["SP", 2, 2, )" + width + R"(, [2, 16], 1], )";
  const std::string order = is_blocked
                                ? R"(["SP", 2, 5, 512, [64], 1], ["RE", 2, [2, 5, 0, 6, 1, 3, 4]],
                                     ["AN", 2, 6, 2]])"
                                : R"(["RE", 2, [0, 2, 5, 1, 3, 4]], ["AN", 2, 5, 2]])";
  return code_of(tile + order, 1, dag)[CodeColumn::NearTraffic];
}

TEST(Code, BlocksThatFitACacheSaveTraffic) {
  EXPECT_LT(near_traffic(544, true), 0.7 * near_traffic(544, false));
}

TEST(Code, RowsThatShareSetsSaveNothing) {
  EXPECT_GT(near_traffic(512, true), near_traffic(512, false));
}

// Three taps along a column of vectors, with the input copied first.
constexpr std::string_view kTaps =
    "X = PLACEHOLDER [74, 16]\n"
    "copy(i, j) = X[i, j]\n"
    "W = PLACEHOLDER [3, 16]\n"
    "Y(i, j) += (copy[(i + k), j]*W[k, j])\n";

// Tiles of 12 vectors; `more` says where the copy is made and how far loops are unrolled.
std::string taps(std::string_view more) {
  return R"([["SP", 3, 0, 72, [12], 1], ["RE", 3, [0, 3, 1, 2]], ["AN", 3, 3, 2], ["AN", 1, 1, 2])" +
         std::string(more) + "]";
}

TEST(Code, TapsThatAreWrittenOutShareWhatTheyLoad) {
  const Code looped = code_of(taps(""), 1, kTaps);
  const Code unrolled = code_of(taps(R"(, ["PR", 3, 0, "auto_unroll_max_step$64"])"), 1, kTaps);
  // 14 rows of the copy a tile instead of 3 times 12.
  EXPECT_LT(unrolled[CodeColumn::Loads], looped[CodeColumn::Loads] - 0.5);
}

// 26 rows of the copy do not fit beside 24 sums, but each is used up before the next one is loaded.
TEST(Code, WhatIsUsedUpAtOnceNeedNotBeHeld) {
  std::string steps = taps(R"(, ["PR", 3, 0, "auto_unroll_max_step$128"])");
  steps.replace(steps.find("[12]"), 4, "[24]");
  const double copying = 2;  // an element is loaded and stored
  EXPECT_NEAR(code_of(steps, 1, kTaps)[CodeColumn::Loads], copying + (26.0 + 1) / (3 * 24), 0.01);
}

// Tiles at the borders get code of their own, without conditions, as long as it is short.
TEST(Code, ShortTilesAtABorderShareWhatTheyLoad) {
  const auto loads_of = [](int n_taps) {
    const std::string n = std::to_string(n_taps);
    return code_of(R"([["CI", 1], ["SP", 3, 0, 72, [24], 1], ["RE", 3, [0, 3, 1, 2]], ["AN", 3, 3, 2],
        ["PR", 3, 0, "auto_unroll_max_step$256"]])",
                   1,
                   "X = PLACEHOLDER [72, 16]\n"
                   "pad(i, j) = tir.if_then_else(((i >= 1) && (i < 73)), X[(i - 1), j], 0f)\n"
                   "W = PLACEHOLDER [" +
                       n + ", 16]\nY(i, j) += (pad[(i + k), j]*W[k, j])\n")[CodeColumn::Loads];
  };
  EXPECT_LT(loads_of(3), 0.5) << "three copies of 72 statements";
  EXPECT_GT(loads_of(5), 1);
}

TEST(Code, WhatIsMadeInsideTheTileStaysInRegisters) {
  constexpr std::string_view kUnroll = R"(, ["PR", 3, 0, "auto_unroll_max_step$64"])";
  const std::string here = R"(, ["CA", 1, 3, 0])" + std::string(kUnroll);
  const Code apart = code_of(taps(kUnroll), 1, kTaps), inside = code_of(taps(here), 1, kTaps);
  EXPECT_LT(inside[CodeColumn::Cycles], apart[CodeColumn::Cycles]);
}

// The same with an input that is padded where it is copied.
constexpr std::string_view kPaddedTaps =
    "X = PLACEHOLDER [72, 16]\n"
    "pad(i, j) = tir.if_then_else(((i >= 1) && (i < 73)), X[(i - 1), j], 0f)\n"
    "W = PLACEHOLDER [3, 16]\n"
    "Y(i, j) += (pad[(i + k), j]*W[k, j])\n";

// Copies that ask take as long as others, but the arithmetic does not hide them.
TEST(Code, WhatAsksInsideTheTileCosts) {
  const std::string inside = taps(R"(, ["CA", 1, 3, 0], ["PR", 3, 0, "auto_unroll_max_step$64"])");
  const Code plain = code_of(inside, 1, kTaps), asks = code_of(inside, 1, kPaddedTaps);
  EXPECT_EQ(asks[CodeColumn::Issue], plain[CodeColumn::Issue]);
  EXPECT_GT(asks[CodeColumn::Cycles], 1.1 * plain[CodeColumn::Cycles]);
}

// Three taps of two vectors each, in a loop over rows, which all take the same weights, or over
// columns.
TEST(Code, WhatALoopLeavesAsItIsStaysInRegisters) {
  const auto loads_of = [](std::string_view order) {
    return code_of(
        R"([["SP", 2, 1, 512, [32], 1], ["RE", 2, )" + std::string(order) + R"(], ["AN", 2, 3, 2]])", 1,
        "X = PLACEHOLDER [66]\nW = PLACEHOLDER [3, 512]\n"
        "Y(i, j) += (X[(i + k)]*W[k, j])\n")[CodeColumn::Loads];
  };
  // Of two weights and an element for two products, what is not held.
  EXPECT_NEAR(loads_of("[0, 1, 3, 2]"), 1, 0.05);
  EXPECT_NEAR(loads_of("[1, 0, 3, 2]"), 0.5, 0.05);
}

// A sum of three taps ends beside the arithmetic of the next one; one of forty is too long for that.
TEST(Code, ShortSumsEndBesideOthers) {
  const auto cycles_an_entry = [](std::string_view unroll) {
    const Code code =
        code_of(R"([["SP", 2, 1, 512, [64], 1], ["RE", 2, [1, 0, 3, 2]], ["AN", 2, 3, 2]])", 1,
                "X = PLACEHOLDER [66]\nW = PLACEHOLDER [" + std::string(unroll) +
                    ", 512]\nY(i, j) += (X[(i + k)]*W[k, j])\n");
    return code[CodeColumn::Issue] - code[CodeColumn::Arithmetic];
  };
  EXPECT_LT(cycles_an_entry("3"), 0.5 * cycles_an_entry("40"));
}

// Sums of two terms in tiles of 16 rows load 32 factors, two a cycle, and what was summed before,
// beside 32 products. Whole sums start from zeros that need no load.
TEST(Code, ShortSumsWaitForTheirLoads) {
  const auto issue_with = [](double load_bytes, int terms, std::string_view order) {
    CoreCosts costs;
    costs.load_bytes = load_bytes;
    const std::string k = std::to_string(terms);
    return code_of(R"([["SP", 2, 0, 512, [16], 1], ["SP", 2, 2, 512, [16], 1], ["SP", 2, 4, )" + k +
                       R"(, [2], 1], ["RE", 2, )" + std::string(order) + R"(], ["AN", 2, 5, 2]])",
                   1,
                   "A = PLACEHOLDER [512, " + k + "]\nB = PLACEHOLDER [" + k +
                       ", 512]\nC(i, j) += (A[i, k]*B[k, j])\n",
                   costs)[CodeColumn::Issue];
  };
  constexpr double kEntries = 2 * 32 * 32;
  EXPECT_NEAR(
      (issue_with(32, 4, "[4, 2, 0, 5, 1, 3]") - issue_with(64, 4, "[4, 2, 0, 5, 1, 3]")) / kEntries,
      16, 0.2);
  EXPECT_NEAR(issue_with(32, 2, "[2, 0, 4, 5, 1, 3]"), issue_with(64, 2, "[2, 0, 4, 5, 1, 3]"), 1);
}

// The zeros of a sum cost nothing where its register tile holds them from the first term to the last;
// where the sum comes back to its tiles, they are stored.
TEST(Code, SumsStartInRegisters) {
  const auto costs_of_stores = [](std::string_view order) {
    const std::string steps = R"([["SP", 2, 0, 512, [8], 1], ["SP", 2, 2, 512, [16], 1],
        ["SP", 2, 4, 512, [256], 1], ["RE", 2, )" +
                              std::string(order) + R"(], ["AN", 2, 5, 2]])";
    return code_of(steps, 1, kMatmul, {.least_store = 10})[CodeColumn::Issue] -
           code_of(steps, 1, kMatmul)[CodeColumn::Issue];
  };
  EXPECT_EQ(costs_of_stores("[0, 2, 4, 5, 1, 3]"), 0);
  EXPECT_GT(costs_of_stores("[4, 0, 2, 5, 1, 3]"), 512 * 32 * 7.9);
}

// A copy that asks whether there is anything to copy has a cost of its own.
TEST(Code, PaddingIsNoPlainCopy) {
  const auto added = [](std::string_view value) {
    const std::string dag = "X = PLACEHOLDER [512, 512]\nY(i, j) = " + std::string(value) + "\n";
    constexpr std::string_view kSteps = R"([["SP", 1, 1, 512, [16], 1], ["AN", 1, 2, 2]])";
    return code_of(kSteps, 1, dag, {.least_padding = 10})[CodeColumn::Issue] -
           code_of(kSteps, 1, dag)[CodeColumn::Issue];
  };
  EXPECT_EQ(added("X[i, j]"), 0);
  EXPECT_GT(added("tir.if_then_else((i >= 1), X[(i - 1), j], 0f)"), 512 * 32 * 5);
}

TEST(Code, ManyConditionsStayALoopAndTheirResultsInMemory) {
  const std::string inside = R"(, ["CA", 1, 3, 0], ["PR", 3, 0, "auto_unroll_max_step$64"])";
  const auto steps = [&](int rows) {
    std::string text = taps(inside);
    return text.replace(text.find("[12]"), 4, "[" + std::to_string(rows) + "]");
  };
  // 14 rows of two branches fit the registers, 20 do not.
  const Code few = code_of(steps(12), 1, kPaddedTaps), many = code_of(steps(18), 1, kPaddedTaps);
  EXPECT_GT(many[CodeColumn::Loads], few[CodeColumn::Loads] + 0.5);
}

// Borders above and beside a tile of two columns get copies of their own, in which nine taps are
// written out. Of one of four columns that would be too much: the taps above each other stay a loop,
// which padding cuts short.
TEST(Code, TapsThatPaddingCutsShortStayALoop) {
  const auto added_by_loop_ends = [](int columns) {
    const std::string steps =
        R"([["CI", 1], ["SP", 3, 1, 16, [)" + std::to_string(columns) +
        R"(], 1], ["RE", 3, [0, 1, 4, 5, 2, 3]], ["PR", 3, 0, "auto_unroll_max_step$64"], ["AN", 3, 5, 2]])";
    constexpr std::string_view kDag =
        "X = PLACEHOLDER [16, 16, 16]\n"
        "pad(i, j, c) = tir.if_then_else(((((i >= 1) && (i < 17)) && (j >= 1)) && (j < 17)), "
        "X[(i - 1), (j - 1), c], 0f)\n"
        "W = PLACEHOLDER [3, 3, 16]\n"
        "Y(i, j, c) += (pad[(i + r), (j + s), c]*W[r, s, c])\n";
    return code_of(steps, 1, kDag, {.loop_end = 10})[CodeColumn::Issue] -
           code_of(steps, 1, kDag)[CodeColumn::Issue];
  };
  EXPECT_EQ(added_by_loop_ends(2), 0);
  EXPECT_NEAR(added_by_loop_ends(4), 16 * 4 * 10, 1);
}

// 72 rows are six tiles of twelve, but not seven of eleven: the last copy ends before the others.
TEST(Code, CopiesThatEndAtAnEdgeStayALoopAndTheirResultsInMemory) {
  const std::string whole = taps(R"(, ["CA", 1, 3, 0], ["PR", 3, 0, "auto_unroll_max_step$64"])");
  std::string cut = whole;
  cut.replace(cut.find("[12]"), 4, "[11]");
  EXPECT_GT(code_of(cut, 1, kPaddedTaps)[CodeColumn::Loads],
            code_of(whole, 1, kPaddedTaps)[CodeColumn::Loads] + 0.5);
}

// A register tile that needs more vectors of such elements than it has arithmetic to hide them.
TEST(Code, ElementsThatLieApartAreLoadedOneByOne) {
  const std::string turned =
      "A = PLACEHOLDER [512, 512]\nB = PLACEHOLDER [512, 512]\nC(i, j) += (A[i, k]*B[j, k])\n";
  const double beside = code_of(tiled(8, 2))[CodeColumn::Issue];
  const double apart = code_of(tiled(8, 2), 1, turned)[CodeColumn::Issue];
  EXPECT_GT(apart, 2 * beside) << "32 loads beside 16 multiplications";
}

// Groups of 24 channels: vectors of 16 lie across their borders, those of 24 do not.
TEST(Code, VectorsAcrossTheBorderOfGroupsAreLoadedOneByOne) {
  const std::string groups =
      "X = PLACEHOLDER [64, 96]\nW = PLACEHOLDER [24, 96]\n"
      "Y(i, j) += (X[i, ((floordiv(j, 24)*24) + k)]*W[k, j])\n";
  const auto tiles_of = [&](std::string_view lanes) {
    return code_of(R"([["SP", 2, 0, 64, [8], 1], ["SP", 2, 2, 96, [)" + std::string(lanes) +
                       R"(], 1], ["RE", 2, [0, 2, 4, 1, 3]], ["AN", 2, 4, 2]])",
                   1, groups)[CodeColumn::Issue];
  };
  EXPECT_GT(tiles_of("16"), 3 * tiles_of("24"));
}

// Vectors of two groups of 16 channels side by side: each group has inputs of its own. Those of one
// convolution take the same.
TEST(Code, VectorsOfOtherGroupsReadOtherInputs) {
  const auto loads_of = [](std::string_view group) {
    const std::string dag =
        "X = PLACEHOLDER [64, 64]\nW = PLACEHOLDER [16, 64]\n"
        "Y(i, j) += (X[i, ((floordiv(j, " +
        std::string(group) + ")*16) + k)]*W[k, j])\n";
    return code_of(R"([["SP", 2, 0, 64, [8], 1], ["SP", 2, 2, 64, [2, 16], 1],
                       ["RE", 2, [0, 2, 5, 1, 3, 4]], ["FU", 2, [4, 5]], ["AN", 2, 4, 2]])",
                   1, dag)[CodeColumn::Loads];
  };
  EXPECT_NEAR(loads_of("16"), (16.0 + 2) / 16, 0.01) << "and two vectors of weights, for 16 products";
  EXPECT_NEAR(loads_of("64"), (8.0 + 2) / 16, 0.01);
}

// A short sum that is made in registers and stored by a statement of its own, and a copy.
TEST(Code, WhatLeavesRegistersIsNoCopy) {
  const auto added_by_slow_stores = [](std::string_view steps, std::string_view dag) {
    return code_of(steps, 1, dag, {.least_store = 10})[CodeColumn::Issue] -
           code_of(steps, 1, dag)[CodeColumn::Issue];
  };
  constexpr std::string_view kShortSum =
      "A = PLACEHOLDER [512, 4]\nB = PLACEHOLDER [4, 512]\nC(i, j) += (A[i, k]*B[k, j])\n";
  constexpr std::string_view kApart =
      R"([["CHW", 2, "local"], ["SP", 2, 0, 512, [4], 1], ["SP", 2, 2, 512, [16], 1],
          ["RE", 2, [0, 2, 4, 1, 3]], ["AN", 2, 4, 2], ["SP", 3, 0, 512, [4], 1],
          ["SP", 3, 2, 512, [16], 1], ["RE", 3, [0, 2, 1, 3]], ["CA", 2, 3, 1], ["AN", 3, 3, 2],
          ["PR", 3, 0, "auto_unroll_max_step$64"], ["PR", 2, 0, "auto_unroll_max_step$64"]])";
  EXPECT_EQ(added_by_slow_stores(kApart, kShortSum), 0);
  constexpr std::string_view kCopy = "A = PLACEHOLDER [512, 512]\nB(i, j) = A[i, j]\n";
  EXPECT_GT(added_by_slow_stores(R"([["SP", 1, 1, 512, [16], 1], ["AN", 1, 2, 2]])", kCopy),
            512 * 32 * 7.9);
}

// A padded copy of two dimensions fused into one vector.
TEST(Code, VectorsOfSeveralDimensionsWithPaddingAreMadeElementByElement) {
  const auto fused = [](std::string_view dag) {
    return code_of(R"([["FU", 1, [0, 1]], ["SP", 1, 0, 1184, [64], 1], ["AN", 1, 1, 2]])", 1,
                   dag)[CodeColumn::Issue];
  };
  EXPECT_GT(fused("X = PLACEHOLDER [72, 16]\n"
                  "pad(i, j) = tir.if_then_else(((i >= 1) && (i < 73)), X[(i - 1), j], 0f)\n"),
            8 * fused("X = PLACEHOLDER [74, 16]\ncopy(i, j) = X[i, j]\n"));
}

// A sum over taps on what was spread by two, and over channels, for tiles of 32 rows.
Code code_of_spread(std::string_view order) {
  return code_of(R"([["CI", 1], ["SP", 3, 0, 64, [32], 1], ["RE", 3, )" + std::string(order) +
                     R"(], ["AN", 3, 4, 2]])",
                 1,
                 "X = PLACEHOLDER [47, 128]\n"
                 "spread(i, c) = tir.if_then_else((floormod(i, 2) == 0), X[floordiv(i, 2), c], 0f)\n"
                 "W = PLACEHOLDER [4, 128, 16]\n"
                 "Y(i, j) += (spread[(i + k), c]*W[k, c, j])\n");
}

TEST(Code, TapsBetweenTheElementsAreLeftOut) {
  const Code taps_outside = code_of_spread("[0, 3, 4, 1, 2]"),
             inside = code_of_spread("[0, 4, 3, 1, 2]");
  EXPECT_LT(taps_outside[CodeColumn::Issue], 0.8 * 64 * 4 * 128) << "half of the taps, a cycle each";
  EXPECT_EQ(taps_outside[CodeColumn::Overflow], 0) << "a tap meets 16 of the rows";
  EXPECT_GT(inside[CodeColumn::Overflow], 0) << "all 32 are summed up at once";
}

// Three channels are a vector of two and one more.
TEST(Code, WhatFillsNoVectorIsMadeOfShorterOnes) {
  const auto accumulators_of = [](std::string_view lanes) {
    return code_of(R"([["RE", 2, [0, 2, 1]], ["AN", 2, 2, 2]])", 1,
                   "A = PLACEHOLDER [8, 8]\nB = PLACEHOLDER [8, " + std::string(lanes) +
                       "]\nC(i, j) += (A[i, k]*B[k, j])\n")[CodeColumn::Accumulators];
  };
  EXPECT_NEAR(accumulators_of("4"), 1, 1e-3);
  EXPECT_NEAR(accumulators_of("3"), 2, 1e-3);
  EXPECT_NEAR(accumulators_of("23"), 4, 1e-3) << "16, 4, 2 and 1";
}

// Columns of 128 rows, each in a page of its own, are more than the core remembers the addresses of.
TEST(Code, PagesThatAreForgottenCost) {
  const auto cycles_with = [](std::string_view order, double page_visit) {
    CoreCosts costs;
    costs.page_visit = page_visit;
    return code_of(
        R"([["SP", 1, 1, 1024, [16], 1], ["RE", 1, )" + std::string(order) + R"(], ["AN", 1, 2, 2]])",
        1, "X = PLACEHOLDER [128, 1024]\nY(i, j) = (X[i, j]*2f)\n", costs)[CodeColumn::Cycles];
  };
  EXPECT_GT(cycles_with("[1, 0, 2]", 70), 2 * cycles_with("[1, 0, 2]", 7));
  EXPECT_LT(cycles_with("[0, 1, 2]", 70), 1.1 * cycles_with("[0, 1, 2]", 7));
}

// A factor that is turned inside of the register tile, where its vectors are put together one element
// after the other, or once before.
TEST(Code, WhatIsPutTogetherInRegistersCosts) {
  const std::string turned =
      "A = PLACEHOLDER [512, 512]\nB = PLACEHOLDER [512, 512]\nT(k, j) = B[j, k]\n"
      "C(i, j) += (A[i, k]*T[k, j])\n";
  const std::string tile = R"([["SP", 3, 0, 512, [8], 1], ["SP", 3, 2, 512, [16], 1],
      ["RE", 3, [0, 2, 4, 1, 3]], ["AN", 3, 4, 2], ["SP", 2, 1, 512, [16], 1], ["AN", 2, 2, 2])";
  const Code inside = code_of(tile + R"(, ["CA", 2, 3, 2]])", 1, turned);
  const Code before = code_of(tile + "]", 1, turned);
  EXPECT_GT(inside[CodeColumn::Cycles], 2 * before[CodeColumn::Cycles]);
}

// Short sums of few accumulators overlap with the next ones, long ones wait for their results.
TEST(Code, LatencyIsWaitedForInLongSums) {
  const auto cycles_a_step = [](int length) {
    const std::string k = std::to_string(length);
    const Code code =
        code_of(R"([["SP", 2, 1, 512, [16], 1], ["RE", 2, [0, 1, 3, 2]], ["AN", 2, 3, 2]])", 1,
                "A = PLACEHOLDER [512, " + k + "]\nB = PLACEHOLDER [" + k +
                    ", 512]\nC(i, j) += (A[i, k]*B[k, j])\n");
    return code[CodeColumn::Issue] / code[CodeColumn::Arithmetic];
  };
  EXPECT_GT(cycles_a_step(512), 1.5 * cycles_a_step(16));
}

TEST(Code, PartsOfARegisterAreLoadedFromMemory) {
  const std::string halves = taps(R"(, ["CA", 1, 3, 0], ["PR", 3, 0, "auto_unroll_max_step$64"])");
  std::string narrow = halves;
  narrow.replace(narrow.find(R"(["AN", 1, 1, 2])"), 15, R"(["SP", 1, 1, 16, [8], 1], ["AN", 1, 2, 2])");
  EXPECT_GT(code_of(narrow, 1, kTaps)[CodeColumn::Cycles],
            code_of(halves, 1, kTaps)[CodeColumn::Cycles]);
}

// Of the copy of a product's second factor, in vectors along one of its axes; the product reads it in
// vectors along axis 1.
double issue_of_panel(int vector_axis) {
  const auto task = std::make_shared<const task::Task>(task::parse(kMatmul));
  const std::string vectors = vector_axis == 1 ? R"(["SP", 2, 1, 512, [16], 1])"
                                               : R"(["SP", 2, 0, 512, [16], 1], ["RE", 2, [0, 2, 1]])";
  const std::string steps = R"([["SP", 2, 1, 512, [16], 1], ["RE", 2, [1, 0, 3, 2]], ["AN", 2, 3, 2],
      ["CHR", 1, "global", [2]], )" +
                            vectors + R"(, ["AN", 2, 2, 2], ["CA", 2, 3, 0]])";
  const target::Target target = target::parse("avx512");
  const Replayed program(task, schedule::steps_from_json(steps), space::hardware_of(target));
  const Rows rows = cpu_rows(program, target);
  EXPECT_EQ(rows.stages.front(), 2);
  return std::exp2(static_cast<double>(rows.values[cpu_column(CodeColumn::Issue)])) - 1;
}

TEST(CpuRows, FillingAPanelAcrossItsRowsCosts) { EXPECT_GT(issue_of_panel(0), 4 * issue_of_panel(1)); }

// The zeros of the product are stored in front of the copy, which is in front of the sum.
TEST(CpuRows, AreInTheOrderOfFirstStores) {
  const auto task = std::make_shared<const task::Task>(task::parse(kMatmul));
  constexpr std::string_view kSteps = R"([["SP", 2, 0, 512, [8], 1], ["SP", 2, 2, 512, [16], 1],
      ["SP", 2, 4, 512, [8], 1], ["RE", 2, [0, 2, 4, 5, 1, 3]], ["AN", 2, 5, 2],
      ["CHR", 1, "global", [2]], ["CA", 2, 3, 2]])";
  const target::Target target = target::parse("avx512");
  const Replayed program(task, schedule::steps_from_json(kSteps), space::hardware_of(target));
  const Rows rows = cpu_rows(program, target);
  ASSERT_EQ(rows.stages, (std::vector<int>{3, 2}));
  EXPECT_NEAR(rows.values[cpu_column(CodeColumn::Accumulators)], std::log2(9.0), 1e-5);
  EXPECT_NEAR(rows.values[kCpuColumns + cpu_column(CodeColumn::Accumulators)], std::log2(2.0), 1e-5);
}

TEST(CpuRows, StandSideBySide) {
  const auto task = std::make_shared<const task::Task>(task::parse(kMatmul));
  const target::Target target = target::parse("avx512");
  const Replayed program(task, schedule::steps_from_json(tiled(8, 2)), space::hardware_of(target));
  const Rows rows = cpu_rows(program, target);
  ASSERT_EQ(rows.values.size(), kCpuColumns);
  EXPECT_EQ(rows.stages, std::vector<int>{2});
  EXPECT_NEAR(rows.values[cpu_column(CodeColumn::Accumulators)], std::log2(17.0), 1e-5);
  EXPECT_EQ(code_names().size(), kCodeColumns);
}

}  // namespace
}  // namespace hone::feature
