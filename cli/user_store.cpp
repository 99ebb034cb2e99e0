#include "cli/user_store.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/environment.h"
#include "cli/terminal.h"

namespace hone::cli {
namespace {

void warn(const UserError& error) {
  fmt::print(stderr, "{} the store of earlier records is not used: {}\n",
             paint("warning:", Colour::Yellow, stderr), error.what());
  if (!error.hint().empty())
    fmt::print(stderr, "         {} {}\n", paint("hint:", Colour::Yellow, stderr), error.hint());
}

}  // namespace

std::string store_file() { return home_folder() + "/records.db"; }

UserStore::UserStore(bool is_wanted) {
  try {
    if (is_wanted) store_.emplace(store_file());
  } catch (const UserError& error) {
    warn(error);
  }
}

void UserStore::use(const std::function<void(record::Store& store)>& work) {
  if (!store_) return;
  try {
    work(*store_);
  } catch (const UserError& error) {
    store_.reset();
    warn(error);
  }
}

}  // namespace hone::cli
