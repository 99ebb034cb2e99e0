// A graph while it is written as steps: what is computed together, and where values lie.
#pragma once
#include <optional>
#include <vector>

#include "artefact/views.h"
#include "graph/groups.h"
#include "task/from_graph.h"

namespace hone::artefact {

class Scope {
 public:
  // The whole graph, or the body of a loop. Buffers are added to the program.
  Scope(const graph::Graph& graph, Program& program, bool is_body = false);

  // What runs at once. Without a task: concatenations, TopK and loops.
  struct Work {
    graph::Group group;
    std::optional<task::GraphTask> task;
  };

  const graph::Graph& graph() const { return graph_; }
  bool is_body() const { return is_body_; }
  const std::vector<Work>& works() const { return works_; }
  const graph::Node& first_node(const Work& work) const;

  const graph::Value& value(graph::ValueId id) const {
    return graph_.values[static_cast<std::size_t>(id)];
  }
  const model::Shape& shape(graph::ValueId id) const { return value(id).type.shape; }
  std::int64_t element_bytes(graph::ValueId id) const { return ir::size_bytes(value(id).type.type); }
  std::int64_t bytes(graph::ValueId id) const { return model::elements(shape(id)) * element_bytes(id); }
  // The value whose memory it has: a reshape is another name of its input.
  graph::ValueId root(graph::ValueId id) const { return roots_[static_cast<std::size_t>(id)]; }

  bool is_known(graph::ValueId id) const;   // without anything being run; what has no elements is, too
  bool is_placed(graph::ValueId id) const;  // whether its memory is decided, or has been known before
  void place(graph::ValueId id, const Operand& begin);  // densely
  void place(graph::ValueId id, View view);             // a root
  // Values that have no place yet get memory of their own.
  View place_of(graph::ValueId id);
  Operand dense_place_of(graph::ValueId id);
  // Of a value that has a place: the strides of a tensor that a task reads or makes it as; none when it
  // lies densely.
  Strides strides_as(graph::ValueId id, const model::Shape& tensor) const;

 private:
  const graph::Graph& graph_;
  Program& program_;
  bool is_body_;
  std::vector<Work> works_;
  std::vector<graph::ValueId> roots_;
  std::vector<std::optional<View>> places_;  // of roots, in their shapes
};

}  // namespace hone::artefact
