// The one mistake of a user that scripts tell from others: there is nothing to run kernels on.
#pragma once
#include "base/error.h"

namespace hone::measure {

class NoWorker : public UserError {
 public:
  using UserError::UserError;
};

}  // namespace hone::measure
