// Bytes together with what keeps them: a mapped file, a string, a vector.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace hone {

struct SharedBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  // the bytes live as long as this

  SharedBytes part(std::size_t begin, std::size_t size) const {
    return {bytes.subspan(begin, size), owner};
  }
};

// Of a container that has its elements in one piece.
template <class Container>
SharedBytes keep(Container container) {
  auto owner = std::make_shared<const Container>(std::move(container));
  return {std::as_bytes(std::span(owner->data(), static_cast<std::size_t>(owner->size()))), owner};
}

}  // namespace hone
