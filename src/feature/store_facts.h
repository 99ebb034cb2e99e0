// What decides how long one statement of a program takes: its loops from the inside outwards, what they
// touch, and how its operands move.
#pragma once
#include <array>
#include <vector>

#include "feature/loop_tree.h"

namespace hone::feature {

// The loops around a statement in three tiles, each inside of the next.
enum class Tile : std::uint8_t {
  Register,   // inside of the innermost reduction: what registers may hold
  Reduction,  // all reductions and what is inside of them
  Task,       // what one core of a CPU, or one block of a GPU, does at a time
};
inline constexpr std::size_t kTiles = 3;
inline constexpr std::size_t kOperands = 4;  // the one that is written, then those read

struct StoreFacts {
  const Store* store = nullptr;
  std::vector<int> chain;        // loops around it, innermost first
  std::vector<bool> is_reduced;  // by loop of the chain: does not choose the element that is written
  bool is_update = false;
  double executions = 1;
  double work = 0;      // executions times operations, at least one each
  double parallel = 1;  // iterations that cores share, or blocks
  double threads = 1, virtual_threads = 1;
  double vector = 1;                             // elements of the vectorised loop
  std::array<std::size_t, kTiles> tile_loops{};  // of the chain, from the inside
  double iterations(std::size_t begin, std::size_t end, const LoopTree& tree) const;
};
StoreFacts store_facts(const LoopTree& tree, const Store& store);

struct Operand {
  double stride = 0;                   // in elements, along the innermost loop
  double vector_stride = 0;            // along the vectorised loop, or along the threads of a GPU
  std::array<double, kTiles> bytes{};  // touched inside of the tile
};
struct Movement {
  std::array<Operand, kOperands> operands;
  std::vector<double> bytes;  // of all operands, touched inside of no loop, of the innermost one, ...
};
Movement movement(const LoopTree& tree, const StoreFacts& facts);

}  // namespace hone::feature
