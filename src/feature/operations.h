// How many operations of which kind one evaluation of an expression takes.
#pragma once

namespace hone::feature {

struct Operations {
  struct Arithmetic {
    int addsub = 0, mul = 0, divmod = 0, compare = 0, function = 0;
  };
  Arithmetic floats, ints;
  int logical = 0, select = 0;
  int choices = 0;  // of the functions: those that evaluate one of two values, as at padding

  int float_total() const {
    return floats.addsub + floats.mul + floats.divmod + floats.compare + floats.function;
  }
};

}  // namespace hone::feature
