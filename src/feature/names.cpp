#include "feature/names.h"

#include <fmt/format.h>

namespace hone::feature {
namespace {

void add_computation(std::vector<std::string>& names) {
  for (const char* type : {"float", "int"}) {
    for (const char* kind : {"mad", "addsub", "mul", "divmod", "cmp", "mathfunc", "otherfunc"}) {
      names.push_back(fmt::format("{}_{}", type, kind));
    }
  }
  names.insert(names.end(), {"bool_op", "select_op"});
  for (const char* loops : {"vec", "unroll", "parallel"}) {
    for (const char* what : {"num", "prod", "len", "type.none", "type.inner_spatial",
                             "type.middle_spatial", "type.outer_spatial", "type.inner_reduce",
                             "type.middle_reduce", "type.outer_reduce", "type.mixed"}) {
      names.push_back(fmt::format("{}_{}", loops, what));
    }
  }
  names.insert(names.end(), {"is_gpu", "blockIdx_x_len", "blockIdx_y_len", "blockIdx_z_len",
                             "threadIdx_x_len", "threadIdx_y_len", "threadIdx_z_len", "vthread_len"});
}

std::vector<std::string> make_names() {
  std::vector<std::string> names;
  add_computation(names);
  for (int tensor = 0; tensor < kMaxTensors; ++tensor) {
    for (const char* what :
         {"acc_type.read", "acc_type.write", "acc_type.read_write", "bytes", "unique_bytes", "lines",
          "unique_lines", "reuse_type.loop", "reuse_type.serial", "reuse_type.none", "reuse_dis_iter",
          "reuse_dis_bytes", "reuse_ct", "bytes_d_reuse_ct", "unique_bytes_d_reuse_ct",
          "lines_d_reuse_ct", "unique_lines_d_reuse_ct", "stride"}) {
      names.push_back(fmt::format("B{}.{}", tensor, what));
    }
  }
  for (int point = 0; point < kCurvePoints; ++point) {
    names.push_back(fmt::format("arith_intensity_curve_{}", point));
  }
  names.insert(names.end(), {"alloc_size", "alloc_prod", "alloc_outer_prod", "alloc_inner_prod",
                             "outer_prod", "num_loops", "auto_unroll_max_step"});
  return names;
}

}  // namespace

const std::vector<std::string>& statement_names() {
  static const std::vector<std::string> kNames = make_names();
  return kNames;
}

}  // namespace hone::feature
