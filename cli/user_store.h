// The user's store of records. Nothing depends on it, so what goes wrong with it is a warning.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "record/store.h"

namespace hone::cli {

std::string store_file();  // where it is

class UserStore {
 public:
  explicit UserStore(bool is_wanted);

  // Calls `work` if there is a store. After its first UserError, which is told, there is none any more.
  void use(const std::function<void(record::Store& store)>& work);

 private:
  std::optional<record::Store> store_;
};

}  // namespace hone::cli
