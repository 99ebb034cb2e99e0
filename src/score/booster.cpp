#include "score/booster.h"

#include <fmt/format.h>
#include <xgboost/c_api.h>

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace hone::score {
namespace {

void must(int status) {
  if (status != 0) fail(std::string("XGBoost: ") + XGBGetLastError());
}

void set(BoosterHandle booster, const char* name, const std::string& value) {
  must(XGBoosterSetParam(booster, name, value.c_str()));
}

std::string saved(BoosterHandle booster, const char* format) {
  bst_ulong size = 0;
  const char* data = nullptr;
  must(XGBoosterSaveModelToBuffer(booster, format, &size, &data));
  return {data, size};
}

// The same numbers with any number of threads around us, and no word on stderr.
void make_quiet_and_single(BoosterHandle booster) {
  set(booster, "nthread", "1");
  set(booster, "verbosity", "0");
}

// Raw sums of leaves, of all trees.
constexpr const char* kRawValues =
    R"({"type": 1, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": false,
        "missing": NaN, "cache_id": 0})";

}  // namespace

TrainingTable::TrainingTable(const Table& table) : columns_(table.columns) {
  must(XGDMatrixCreateFromMat(table.values.data(), table.n_rows(), table.columns,
                              std::numeric_limits<float>::quiet_NaN(), &handle_));
}

TrainingTable::~TrainingTable() { XGDMatrixFree(handle_); }

Booster::Booster(const TrainingTable& table, const BoosterOptions& options) {
  const double share = std::min(1.0, options.tree_columns / static_cast<double>(table.columns()));
  const DMatrixHandle tables[] = {table.handle()};
  must(XGBoosterCreate(tables, 1, &handle_));
  make_quiet_and_single(handle_);
  set(handle_, "tree_method", "hist");
  set(handle_, "base_score", "0");
  set(handle_, "nthread", std::to_string(options.threads));
  set(handle_, "min_child_weight", fmt::format("{}", options.min_child_weight));
  set(handle_, "gamma", fmt::format("{}", options.gamma));
  set(handle_, "max_depth", std::to_string(options.max_depth));
  set(handle_, "eta", fmt::format("{}", options.learning_rate));
  set(handle_, "colsample_bytree", fmt::format("{}", share));
  set(handle_, "subsample", fmt::format("{}", options.row_share));
  set(handle_, "max_bin", std::to_string(options.bins));
  set(handle_, "seed", std::to_string(options.seed & 0x7fffffff));
}

Booster::Booster(std::string_view bytes) {
  must(XGBoosterCreate(nullptr, 0, &handle_));
  make_quiet_and_single(handle_);
  if (XGBoosterLoadModelFromBuffer(handle_, bytes.data(), bytes.size()) != 0) {
    XGBoosterFree(handle_);
    throw UserError("the boosted trees of the scorer are damaged", "train the scorer again");
  }
}

Booster::~Booster() {
  if (handle_ != nullptr) XGBoosterFree(handle_);
}

void Booster::boost(const TrainingTable& table, std::vector<float>& gradient,
                    std::vector<float>& curvature) {
  must(XGBoosterBoostOneIter(handle_, table.handle(), gradient.data(), curvature.data(),
                             gradient.size()));
}

std::vector<float> Booster::values(const TrainingTable& table) const {
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* values = nullptr;
  must(XGBoosterPredictFromDMatrix(handle_, table.handle(), kRawValues, &shape, &dimensions, &values));
  return {values, values + shape[0]};
}

std::vector<float> Booster::values(const Table& table) const {
  if (table.n_rows() == 0) return {};
  const std::string array =
      fmt::format(R"({{"data": [{}, true], "shape": [{}, {}], "typestr": "<f4", "version": 3}})",
                  reinterpret_cast<std::uintptr_t>(table.values.data()), table.n_rows(), table.columns);
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* values = nullptr;
  must(XGBoosterPredictFromDense(handle_, array.c_str(), kRawValues, nullptr, &shape, &dimensions,
                                 &values));
  return {values, values + table.n_rows()};
}

std::string Booster::bytes() const { return saved(handle_, R"({"format": "ubj"})"); }

std::string Booster::json() const { return saved(handle_, R"({"format": "json"})"); }

}  // namespace hone::score
