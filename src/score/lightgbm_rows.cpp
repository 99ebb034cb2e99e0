// LightGBM with the settings TenSet published. Its library is in no Debian package; the one of the
// Python wheel is loaded when it is first asked for.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"
#include "score/row_booster.h"

namespace hone::score {
namespace {

constexpr int kFloat = 0, kRowMajor = 1, kRawScore = 1, kAllTrees = -1;

// What is used of LightGBM's C interface (its c_api.h, version 3 and 4).
struct Library {
  const char* (*last_error)();
  int (*dataset_from_mat)(const void* data, int type, std::int32_t rows, std::int32_t columns,
                          int row_major, const char* parameters, void* reference, void** out);
  int (*dataset_set_field)(void* dataset, const char* name, const void* data, int count, int type);
  int (*dataset_free)(void* dataset);
  int (*booster_create)(void* dataset, const char* parameters, void** out);
  int (*booster_from_string)(const char* text, int* iterations, void** out);
  int (*booster_free)(void* booster);
  int (*update_custom)(void* booster, const float* gradient, const float* curvature, int* finished);
  int (*get_predict)(void* booster, int data, std::int64_t* count, double* out);
  int (*predict_mat)(void* booster, const void* data, int type, std::int32_t rows, std::int32_t columns,
                     int row_major, int kind, int start, int count, const char* parameters,
                     std::int64_t* n_out, double* out);
  int (*save_to_string)(void* booster, int start, int count, int importance, std::int64_t size,
                        std::int64_t* needed, char* out);

  void must(int status) const {
    if (status != 0) fail(std::string("LightGBM: ") + last_error());
  }
};

Library load_library() {
  const char* named = std::getenv("HONE_LIGHTGBM");
  const std::string path = named != nullptr ? named : HONE_LIGHTGBM_DEFAULT;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw UserError(fmt::format("LightGBM's library cannot be loaded: {}", dlerror()),
                    "take lib_lightgbm.so out of the Python wheel (pip download lightgbm) and set "
                    "HONE_LIGHTGBM to its path");
  Library library{};
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
    if (function == nullptr)
      throw UserError(fmt::format("{} has no function {}", path, name), "use LightGBM 3 or 4");
  };
  int (*log_to)(void (*)(const char*)) = nullptr;
  find(log_to, "LGBM_RegisterLogCallback");
  log_to([](const char*) {});  // what matters comes as an error
  find(library.last_error, "LGBM_GetLastError");
  find(library.dataset_from_mat, "LGBM_DatasetCreateFromMat");
  find(library.dataset_set_field, "LGBM_DatasetSetField");
  find(library.dataset_free, "LGBM_DatasetFree");
  find(library.booster_create, "LGBM_BoosterCreate");
  find(library.booster_from_string, "LGBM_BoosterLoadModelFromString");
  find(library.booster_free, "LGBM_BoosterFree");
  find(library.update_custom, "LGBM_BoosterUpdateOneIterCustom");
  find(library.get_predict, "LGBM_BoosterGetPredict");
  find(library.predict_mat, "LGBM_BoosterPredictForMat");
  find(library.save_to_string, "LGBM_BoosterSaveModelToString");
  return library;
}

const Library& library() {
  static const Library kLibrary = load_library();
  return kLibrary;
}

class LightgbmRows final : public RowBooster {
 public:
  LightgbmRows(const Table& table, int threads) : library_(library()), n_rows_(table.n_rows()) {
    const std::string parameters = fmt::format(
        "objective=none boosting=gbdt num_leaves=72 learning_rate=0.1632095 feature_fraction=0.84375 "
        "bagging_fraction=0.89435 bagging_freq=4 min_sum_hessian_in_leaf=4 seed=43 deterministic=true "
        "force_row_wise=true verbosity=-1 num_threads={}",
        threads);
    library_.must(library_.dataset_from_mat(
        table.values.data(), kFloat, static_cast<std::int32_t>(n_rows_),
        static_cast<std::int32_t>(table.columns), kRowMajor, parameters.c_str(), nullptr, &dataset_));
    const std::vector<float> unused(n_rows_);  // the objective is ours, but it asks for labels
    library_.must(library_.dataset_set_field(dataset_, "label", unused.data(),
                                             static_cast<int>(n_rows_), kFloat));
    library_.must(library_.booster_create(dataset_, parameters.c_str(), &booster_));
  }
  explicit LightgbmRows(std::string_view bytes) : library_(library()) {
    int iterations = 0;
    if (library_.booster_from_string(std::string(bytes).c_str(), &iterations, &booster_) != 0)
      throw UserError("the boosted trees of the scorer are damaged", "train the scorer again");
  }
  ~LightgbmRows() override {
    if (booster_ != nullptr) library_.booster_free(booster_);
    if (dataset_ != nullptr) library_.dataset_free(dataset_);
  }
  LightgbmRows(const LightgbmRows&) = delete;
  LightgbmRows& operator=(const LightgbmRows&) = delete;

  void boost(std::vector<float>& gradient, std::vector<float>& curvature) override {
    int finished = 0;
    library_.must(library_.update_custom(booster_, gradient.data(), curvature.data(), &finished));
  }

  std::vector<float> training_values() const override {
    std::vector<double> values(n_rows_);
    std::int64_t count = 0;
    library_.must(library_.get_predict(booster_, 0, &count, values.data()));
    return {values.begin(), values.end()};
  }

  std::vector<float> values(const Table& table) const override {
    std::vector<double> values(table.n_rows());
    if (values.empty()) return {};
    std::int64_t count = 0;
    library_.must(library_.predict_mat(booster_, table.values.data(), kFloat,
                                       static_cast<std::int32_t>(values.size()),
                                       static_cast<std::int32_t>(table.columns), kRowMajor, kRawScore,
                                       0, kAllTrees, "verbosity=-1", &count, values.data()));
    return {values.begin(), values.end()};
  }

  std::string bytes() const override {
    std::int64_t needed = 0;
    char nothing = 0;
    library_.must(library_.save_to_string(booster_, 0, kAllTrees, 0, 1, &needed, &nothing));
    std::string text(static_cast<std::size_t>(needed), '\0');
    library_.must(library_.save_to_string(booster_, 0, kAllTrees, 0, needed, &needed, text.data()));
    text.resize(static_cast<std::size_t>(needed) - 1);  // without the 0 behind it
    return text;
  }

 private:
  const Library& library_;
  std::size_t n_rows_ = 0;
  void* dataset_ = nullptr;
  void* booster_ = nullptr;
};

}  // namespace

RowBoosterPointer make_lightgbm(const Table& table, int threads) {
  return std::make_unique<LightgbmRows>(table, threads);
}

RowBoosterPointer load_lightgbm(std::string_view bytes) {
  return std::make_unique<LightgbmRows>(bytes);
}

}  // namespace hone::score
