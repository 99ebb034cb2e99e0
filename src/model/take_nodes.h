// The nodes of a protobuf message.
#pragma once
#include "model/external_data.h"
#include "model/model.h"

namespace onnx {
class GraphProto;
}

namespace hone::model {

// Takes nodes and initialisers out of the message, subgraphs with them. Inputs that are initialisers
// are constants and no inputs. UserError when the nodes do not make sense; whether every name that is
// read exists is for those to see who know the graph around this one.
Nodes take_nodes(onnx::GraphProto& graph, ExternalData& files);

// The domain by which ONNX's own operators go here: "ai.onnx" is another spelling of "".
std::string plain_domain(const std::string& domain);

}  // namespace hone::model
