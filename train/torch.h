// libtorch, in the order in which clang can read it too.
#pragma once
#include <ATen/core/ivalue.h>
// Torch's own headers come behind the type they need complete.
#include <torch/torch.h>
