#include "task/text_reads.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::task {
namespace {

constexpr std::size_t kMaxNewInputs = 64;  // how many unread ops one op takes at most

}  // namespace

NamedReads reads_in(ir::Lexer body) {
  constexpr std::size_t kNoRead = SIZE_MAX;
  NamedReads found;
  std::vector<std::size_t> open;  // for each open bracket the read whose indices it holds
  ir::Token before;
  for (ir::Token token = body.next(); token.kind != ir::Token::Kind::End; token = body.next()) {
    if (token.text == "[" && before.kind == ir::Token::Kind::Name) {
      open.push_back(found.reads.size());
      found.reads.push_back({before, body.peek().text == "]" ? 0U : 1U});
    } else if (token.text == "(" || token.text == "[") {
      open.push_back(kNoRead);
    } else if (token.text == "," && !open.empty() && open.back() != kNoRead) {
      ++found.reads[open.back()].n_indices;
    } else if ((token.text == ")" || token.text == "]") && !open.empty()) {
      if (open.back() != kNoRead) found.order.push_back(open.back());
      open.pop_back();
    }
    before = token;
  }
  return found;
}

void ReadResolver::add(const Op& op) {
  const std::size_t rank = op.is_placeholder() ? op.output()->shape.size() : op.axes.size();
  unread_.push_back(first_of_.size());
  first_of_.push_back(outputs_.size());
  for (const ir::Buffer& output : op.outputs) outputs_.push_back({output, unread_.back(), rank});
}

bool ReadResolver::fits(const Output& output, const NamedRead& read) {
  return output.buffer->name == read.name.text && output.rank == read.n_indices;
}

const ReadResolver::Output* ReadResolver::unread_as(std::size_t op, const NamedRead& read) const {
  for (std::size_t i = first_of_[op]; i < outputs_.size() && outputs_[i].op == op; ++i) {
    if (fits(outputs_[i], read)) return &outputs_[i];
  }
  return nullptr;
}

// The last unread ops, as many as find a reader here in their order.
ReadResolver::Meanings ReadResolver::take_unread(const NamedReads& named) const {
  const std::size_t most = std::min({unread_.size(), named.order.size(), kMaxNewInputs});
  for (std::size_t count = most; count > 0; --count) {
    Meanings meanings(named.reads.size(), nullptr);
    auto next = unread_.end() - static_cast<std::ptrdiff_t>(count);
    for (const std::size_t position : named.order) {
      if (next == unread_.end()) break;
      meanings[position] = unread_as(*next, named.reads[position]);
      if (meanings[position]) ++next;
    }
    if (next == unread_.end()) return meanings;
  }
  return Meanings(named.reads.size(), nullptr);
}

// What the name means elsewhere in this op, or the first op of that name.
const ReadResolver::Output* ReadResolver::read_before(const NamedReads& named, const Meanings& meanings,
                                                      std::size_t position) const {
  const NamedRead& read = named.reads[position];
  const Output* here = nullptr;
  for (std::size_t i = 0; i < meanings.size() && (i < position || !here); ++i) {
    if (meanings[i] && fits(*meanings[i], read)) here = meanings[i];
  }
  if (here) return here;
  const auto first =
      std::ranges::find_if(outputs_, [&](const Output& output) { return fits(output, read); });
  if (first != outputs_.end()) return &*first;
  const auto named_so = std::ranges::find_if(
      outputs_, [&](const Output& output) { return output.buffer->name == read.name.text; });
  if (named_so == outputs_.end()) return nullptr;
  ir::Lexer::fail(read.name, fmt::format("a tensor of {} dimensions is read with {} indices",
                                         named_so->rank, read.n_indices));
}

std::vector<ir::Buffer> ReadResolver::resolve(const NamedReads& named) {
  Meanings meanings = take_unread(named);
  std::vector<ir::Buffer> buffers;
  for (std::size_t position = 0; position < meanings.size(); ++position) {
    if (!meanings[position]) meanings[position] = read_before(named, meanings, position);
    buffers.push_back(meanings[position] ? meanings[position]->buffer : nullptr);
    if (meanings[position]) std::erase(unread_, meanings[position]->op);
  }
  return buffers;
}

}  // namespace hone::task
