// The weights of a file, each stored once.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "model/tensor.h"

namespace hone::artefact {

class Weights {
 public:
  // Where the tensor's elements lie; the same place for the same bytes.
  std::int64_t add(const model::Tensor& tensor);

  // What lies there, one behind the other, each padded to 64 bytes.
  const std::vector<std::span<const std::byte>>& pieces() const { return pieces_; }

 private:
  struct Place {
    std::span<const std::byte> bytes;
    std::int64_t offset;
  };
  std::multimap<std::uint64_t, Place> places_;  // by checksum
  std::vector<std::span<const std::byte>> pieces_;
  std::vector<model::Tensor> owners_;
  std::int64_t end_ = 0;
};

}  // namespace hone::artefact
