// Other forms that groups of a network's nodes can be computed in than the one that the passes left.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/groups.h"

namespace hone::graph {

// Plain: as it stands.
// ChannelsFirst: a plain convolution or pool that is channels last, and what is fused with it, in the
// layout that models come in. Vectors go along a row of the image instead of its channels, which pays
// where channels are fewer than a vector's elements.
// Blocked: the same with channels in blocks (blocks.h). What a vector reads from neighbouring pixels
// lies side by side, however many channels there are. Separate: attention as tasks of their own for the
// scores, their soft-max and the product with it.
enum class Form : std::uint8_t { Plain, ChannelsFirst, Blocked, Separate };

// Whether it says how images lie in memory.
bool is_layout(Form form);

// Those a group of the graph has, Plain first. `lanes` channels are a block; 0: there are no blocks.
std::vector<Form> forms(const Graph& graph, const Group& group, std::int64_t lanes = 0);

// The graph with groups in other forms: by a node of each such group. What is passed on between groups
// of different layouts is transposed, once for all who need it so. Transpositions that meet, those of
// the model included, cancel out.
Graph in_forms(const Graph& graph, const std::map<int, Form>& forms, std::int64_t lanes = 0);

// The group alone: what it reads becomes inputs, constants stay.
Graph part(const Graph& graph, const Group& group);

std::string_view name_of(Form form);  // "plain", "channels_first", "blocked", "separate"

}  // namespace hone::graph
