// Which processors a thread runs on.
#pragma once
#include <vector>

namespace hone {

// Keeps the calling thread, and those it will start, to these processors; anywhere when there are none.
void keep_to(const std::vector<int>& cpus);

std::vector<int> allowed_cpus();  // those that the calling thread may use

}  // namespace hone
