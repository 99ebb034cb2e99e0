// Which of many rows of numbers lie nearest to one.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace hone::score {

// Only distances are kept, so that rows may be of any number.
class NearestRows {
 public:
  NearestRows(std::vector<float> to, std::size_t count) : to_(std::move(to)), count_(count) {}

  struct Near {
    std::size_t number;
    double distance;  // Euclid's
  };

  void add(std::size_t number, std::span<const float> row);  // as long as the one it is compared with
  std::vector<Near> nearest() const;  // the nearest first, of equals the one with the least number
  double median_distance() const;     // of all; 0 without any
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<float> to_;
  std::size_t count_;
  std::vector<Near> all_;
};

}  // namespace hone::score
