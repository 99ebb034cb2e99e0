#include "model/builtin/residual.h"

namespace hone::model {

Value residual(Build& build, const std::string& name, const Value& x, const Value& branch,
               std::int64_t stride) {
  Value shortcut = x;
  if (x.shape != branch.shape) {
    shortcut =
        conv(build, name + ".downsample.0", x, branch.shape[1], {.kernel = {1}, .stride = {stride}});
    shortcut = batch_norm(build, name + ".downsample.1", shortcut);
  }
  return relu(build, name + ".relu", add(build, name + ".add", branch, shortcut));
}

}  // namespace hone::model
