// The tasks whose trials a second are counted.
#pragma once
#include <string>
#include <vector>

namespace hone::bench {

struct Subject {
  std::string name, op;
};

inline const std::vector<Subject> kSubjects = {
    {"r10", "conv2d:n=1,ci=128,hw=28,co=128,k=3,s=1,p=1,layout=nhwc"},
    {"r15", "conv2d:n=1,ci=1024,hw=14,co=256,k=1,s=1,p=0,layout=nhwc"},
    {"128x768x768", "matmul:m=128,n=768,k=768"},
};

}  // namespace hone::bench
