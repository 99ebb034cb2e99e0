#include "graph/evaluate/copy.h"

#include <cstring>

#include "base/error.h"

namespace hone::graph {
namespace {

// Elements are of as many bytes as `Word`.
template <class Word>
class Copy {
 public:
  Copy(const Word* from, Word* to, const Sources& sources, Word fill)
      : from_(from), to_(to), sources_(sources), fill_(fill) {}

  // The result's elements of dimension d and those behind it, in order.
  void run(std::size_t d, std::int64_t offset) {
    if (d == sources_.size()) {
      *to_++ = offset < 0 ? fill_ : from_[offset];
      return;
    }
    for (const std::int64_t source : sources_[d])
      run(d + 1, offset < 0 || source < 0 ? kNothing : offset + source);
  }

 private:
  const Word* from_;
  Word* to_;
  const Sources& sources_;
  Word fill_;
};

template <class Word>
void copy_words(const Tensor& input, const Sources& sources, std::span<const std::byte> fill,
                Tensor& result) {
  Word word{0};
  if (!fill.empty()) std::memcpy(&word, fill.data(), sizeof word);
  auto* to = reinterpret_cast<Word*>(result.writable().data());
  Copy<Word>(input.as<Word>().data(), to, sources, word).run(0, 0);
}

}  // namespace

std::vector<std::int64_t> sources_along(std::int64_t extent, std::int64_t stride,
                                        const std::function<std::int64_t(std::int64_t)>& place) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < extent; ++i) {
    const std::int64_t at = place(i);
    offsets.push_back(at == kNothing ? kNothing : at * stride);
  }
  return offsets;
}

Tensor copy(const Tensor& input, const Shape& shape, const Sources& sources,
            std::span<const std::byte> fill) {
  Tensor result = Tensor::zeros(input.type(), shape);
  if (result.size() == 0) return result;
  switch (ir::size_bytes(input.type())) {
    case 1:
      copy_words<std::uint8_t>(input, sources, fill, result);
      break;
    case 2:
      copy_words<std::uint16_t>(input, sources, fill, result);
      break;
    case 4:
      copy_words<std::uint32_t>(input, sources, fill, result);
      break;
    case 8:
      copy_words<std::uint64_t>(input, sources, fill, result);
      break;
    default:
      fail("elements are of 1, 2, 4 or 8 bytes");
  }
  return result;
}

}  // namespace hone::graph
