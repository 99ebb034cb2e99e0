// Values as bytes and back: little-endian, lengths before contents, no padding, no pointers.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace hone::worker {

static_assert(std::endian::native == std::endian::little, "messages are little-endian");

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// A struct takes part by listing its fields once:
//   template <class Self, class Io> static void fields(Self& self, Io& io) { io(self.a, self.b); }
class Writer {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void put_bytes(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  template <Plain T>
  void put(const T& value) {
    put_bytes(&value, sizeof value);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    put_bytes(text.data(), text.size());
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    if constexpr (Plain<T>) {
      put_bytes(values.data(), values.size() * sizeof(T));
    } else {
      for (const T& value : values) put(value);
    }
  }
  template <class T>
    requires std::is_class_v<T>
  void put(const T& value) {
    T::fields(value, *this);
  }

  std::vector<std::byte> bytes_;
};

// Refuses what is too short; never allocates more than the bytes it was given can fill.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  void get_bytes(void* data, std::size_t size) {
    check(size <= bytes_.size(), "a message ends too early");
    if (size > 0) std::memcpy(data, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  std::size_t get_length(std::size_t least_bytes_each) {
    std::uint64_t length = 0;
    get(length);
    check(length <= bytes_.size() / least_bytes_each, "a message ends too early");
    return length;
  }
  template <Plain T>
  void get(T& value) {
    get_bytes(&value, sizeof value);
  }
  void get(std::string& text) {
    text.resize(get_length(1));
    get_bytes(text.data(), text.size());
  }
  template <class T>
  void get(std::vector<T>& values) {
    if constexpr (Plain<T>) {
      values.resize(get_length(sizeof(T)));
      get_bytes(values.data(), values.size() * sizeof(T));
    } else {
      values.resize(get_length(1));
      for (T& value : values) get(value);
    }
  }
  template <class T>
    requires std::is_class_v<T>
  void get(T& value) {
    T::fields(value, *this);
  }

  std::span<const std::byte> bytes_;
};

}  // namespace hone::worker
