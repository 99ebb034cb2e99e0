// Which processors a thread runs on, and which thread comes first there.
#pragma once
#include <vector>

namespace hone {

// Keeps the calling thread, and those it will start, to these processors; anywhere when there are none.
void keep_to(const std::vector<int>& cpus);

// Lets the other threads of this process go first from now on, where there are too few processors.
void give_way();

std::vector<int> allowed_cpus();  // those that the calling thread may use

}  // namespace hone
