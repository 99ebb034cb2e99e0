// What `hone transfer` says: text for people, or events.
#pragma once
#include <cstddef>
#include <string>

#include "cli/transfer_judge.h"
#include "tune/collect.h"

namespace hone::cli {

struct TransferStart {
  std::string scorer, hash, kind;  // that is adapted
  std::size_t known_tasks = 0;     // it was trained on
  std::string machine;
  std::size_t programs = 0, tasks = 0;  // to measure
  std::size_t seen = 0;                 // of these tasks, those that it was trained on
  std::string choose;
  double seconds = 0;  // that choosing took
};

struct TransferEnd {
  tune::CollectProgress measured;
  std::string scorer, set;  // files written
  std::string way;          // in which it was adapted
  bool is_adapted = true;   // else it is written as it was, because no way made it better
  double seconds = 0;       // all of it
};

class TransferReport {
 public:
  TransferReport(bool json, bool quiet) : json_(json), quiet_(quiet) {}

  void began(const TransferStart& start) const;  // and what is to come; not when it is quiet
  void judged(const std::optional<BeforeAfter>& judged) const;
  void ended(const TransferEnd& end) const;

 private:
  const bool json_, quiet_;
};

}  // namespace hone::cli
