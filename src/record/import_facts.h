// What the logs do not say of their tasks, from files beside them: computations and networks.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "record/dataset_writer.h"

namespace hone::record {

using Dags = std::map<std::string, std::string, std::less<>>;  // computations by workload key

// Lines {"workload_key": KEY, "dag": TEXT}, plain or gzip. UserError when the file is of another form.
Dags read_dags(const std::string& path);

// A task whose computation cannot be read is reported with the reason and stays unknown.
using OnUnreadableDag = std::function<void(const std::string& source, const std::string& reason)>;
void add_dags(const Dags& dags, const std::string& source, std::vector<DatasetTask>& tasks,
              const OnUnreadableDag& on_unreadable);

// Computations that the key itself names with all of its sizes (task/readable_key.h).
void add_readable_dags(std::vector<DatasetTask>& tasks, const OnUnreadableDag& on_unreadable);

// A table with tabs between columns and their names in its first line: `workload_key`, and either
// `network` with `weight` (how often the network has the task; 1 when there is no such column), a line
// for each pair, or `networks`, names between commas. A column `flops` is taken where there is one,
// other columns are passed over. UserError when the file is of another form.
void add_networks(const std::string& path, std::vector<DatasetTask>& tasks);

}  // namespace hone::record
