// Which op a name in a task's text means, also where names repeat.
#pragma once
#include <vector>

#include "ir/lexer.h"
#include "task/task.h"

namespace hone::task {

// A name with indices, as it stands in the text of a body.
struct NamedRead {
  ir::Token name;
  std::size_t n_indices = 0;
};
struct NamedReads {
  std::vector<NamedRead> reads;  // in the order of the text
  // The same reads in the order in which TVM meets them: those inside of indices before the one they
  // index.
  std::vector<std::size_t> order;
};
NamedReads reads_in(ir::Lexer body);  // up to the end of the text

// Gives the reads of op after op their buffers, by the rule in text.h.
class ReadResolver {
 public:
  void add(const Op& op);  // from here on it can be read
  // One buffer a read, in the order of the text; null where no op has the name. Throws UserError where
  // the op has another number of dimensions.
  std::vector<ir::Buffer> resolve(const NamedReads& named);
  // The ops that nobody has read, numbered in the order of the text.
  const std::vector<std::size_t>& unread() const { return unread_; }

 private:
  struct Output {
    ir::Buffer buffer;
    std::size_t op, rank;
  };
  using Meanings = std::vector<const Output*>;  // one a read; null while unknown
  static bool fits(const Output& output, const NamedRead& read);
  Meanings take_unread(const NamedReads& named) const;
  const Output* unread_as(std::size_t op, const NamedRead& read) const;
  const Output* read_before(const NamedReads& named, const Meanings& meanings,
                            std::size_t position) const;

  std::vector<Output> outputs_;        // of all ops so far, in the order of the text
  std::vector<std::size_t> first_of_;  // op -> its first output
  std::vector<std::size_t> unread_;    // ops
};

}  // namespace hone::task
