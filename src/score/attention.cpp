#include "score/attention.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "score/layers.h"

namespace hone::score {
namespace {

using graph::ValueId;

constexpr std::int64_t kProgramsAtOnce = 8;
constexpr std::array<std::size_t, 6> kRooms = {2, 4, 8, 16, 32, 64};
// Of a row that is not there: its share of the softmax is 0.
constexpr float kNever = -1e9F;

// Programs of one room, and where their rows begin among all.
struct Guests {
  std::vector<std::size_t> begins, lengths;
};

std::vector<float> seat(const std::vector<float>& of_rows, const Guests& guests, std::size_t rows,
                        std::size_t width) {
  std::vector<float> out(guests.begins.size() * rows * width);
  for (std::size_t i = 0; i < guests.begins.size(); ++i)
    std::copy_n(&of_rows[guests.begins[i] * width], guests.lengths[i] * width, &out[i * rows * width]);
  return out;
}

}  // namespace

graph::Graph graph_of_attention(std::int64_t programs, std::int64_t rows, std::int64_t width,
                                std::int64_t heads) {
  const std::int64_t n = programs;
  const std::vector<NamedTensor> no_weights;
  Layers layers(no_weights);
  const auto by_head = [&](const char* name, std::vector<int> order) {
    return layers.transpose(layers.input(name, {n, rows, heads, width / heads}), std::move(order));
  };
  const ValueId queries = by_head("queries", {0, 2, 1, 3});
  const ValueId keys = by_head("keys", {0, 2, 3, 1});
  const ValueId values = by_head("values", {0, 2, 1, 3});
  const ValueId weight = layers.reshape(layers.input("weight", {n, rows}), {n, 1, 1, rows});
  const double scale = 1 / std::sqrt(static_cast<double>(width / heads));
  const ValueId affinity = layers.scale(layers.matmul(queries, keys), scale);
  const ValueId shares = layers.softmax(layers.add(affinity, weight));
  const ValueId seen = layers.transpose(layers.matmul(shares, values), {0, 2, 1, 3});
  return layers.finish({layers.reshape(seen, {n, rows, width})});
}

RaggedAttention::RaggedAttention(std::size_t width, std::size_t heads, const CompileDense& compile)
    : width_(width) {
  if (width % heads != 0)
    throw UserError("the network's width of " + std::to_string(width) + " cannot be shared by " +
                        std::to_string(heads) + " heads",
                    "train the scorer again");
  for (const std::size_t rows : kRooms)
    rooms_.push_back({rows, compile(graph_of_attention(kProgramsAtOnce, static_cast<std::int64_t>(rows),
                                                       static_cast<std::int64_t>(width),
                                                       static_cast<std::int64_t>(heads)))});
}

std::vector<float> RaggedAttention::run(const Projected& projected,
                                        std::span<const std::size_t> lengths) const {
  std::vector<float> seen = projected[2];  // a row that is alone sees itself
  std::vector<Guests> guests(rooms_.size());
  std::size_t begin = 0;
  for (const std::size_t length : lengths) {
    const auto room = std::ranges::find_if(rooms_, [&](const Room& r) { return length <= r.rows; });
    if (room == rooms_.end())
      throw UserError("a program has " + std::to_string(length) +
                          " statements, and attention looks at " + std::to_string(rooms_.back().rows) +
                          " at most",
                      "use another scorer");
    if (length > 1) {
      Guests& of_room = guests[static_cast<std::size_t>(room - rooms_.begin())];
      of_room.begins.push_back(begin);
      of_room.lengths.push_back(length);
    }
    begin += length;
  }
  for (std::size_t i = 0; i < rooms_.size(); ++i) {
    const std::size_t n = guests[i].begins.size(), rows = rooms_[i].rows;
    if (n == 0) continue;
    std::vector<std::vector<float>> inputs;
    for (const std::vector<float>& part : projected)
      inputs.push_back(seat(part, guests[i], rows, width_));
    std::vector<float>& hidden = inputs.emplace_back(n * rows, kNever);
    for (std::size_t j = 0; j < n; ++j) std::fill_n(&hidden[j * rows], guests[i].lengths[j], 0.0F);
    std::vector<float> out(n * rows * width_);
    rooms_[i].look->run(n, std::vector<std::span<const float>>(inputs.begin(), inputs.end()),
                        std::array{std::span(out)});
    for (std::size_t j = 0; j < n; ++j)
      std::copy_n(&out[j * rows * width_], guests[i].lengths[j] * width_,
                  &seen[guests[i].begins[j] * width_]);
  }
  return seen;
}

}  // namespace hone::score
