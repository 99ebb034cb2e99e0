// The events of training as people read them.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "cli/live_lines.h"

namespace hone::cli {

class TrainDisplay {
 public:
  explicit TrainDisplay(bool as_json) : as_json_(as_json) {}

  void show(const std::string& line);  // an event: a JSON object

 private:
  using Json = nlohmann::ordered_json;

  void show_start(const Json& event);
  void show_epoch(const Json& event);
  void show_pretraining(const Json& event);
  void show_source(const Json& event);
  void show_tree(const Json& event);
  void show_progress(const std::string& line);
  void show_done(const Json& event);

  bool as_json_;
  LiveLines lines_;
  Json last_;  // epoch
};

}  // namespace hone::cli
