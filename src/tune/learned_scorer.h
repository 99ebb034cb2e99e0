// A scorer that was trained before, from its file into the loop.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "feature/section_rows.h"
#include "score/network.h"
#include "target/target.h"
#include "task/task.h"

namespace hone::tune {

// Of a scorer's file or an ONNX model (tune/onnx_scorer.h). Its kernels run on as many threads as the
// target has cores and are kept in the folder, unless none is given. With
// `tells_hidden` its predictions say what the last layer read. UserError when the file is
// damaged, of a kind that hone cannot use, or made for other features.
std::shared_ptr<const score::Network> load_scorer(const std::string& path, const target::Target& target,
                                                  const std::string& cache_folder,
                                                  bool tells_hidden = false);

// The names and versions of features as this hone makes them, in the way of a scorer's file.
std::string feature_versions(const std::vector<std::string>& names);

// The machine of a target, for networks that read one: this one is measured, once a process, and of
// another is known what the target says.
target::Descriptor descriptor_for(const score::Network& network, target::Target target);

// The views that a network reads, of the candidates of one task. From any thread.
class Views {
 public:
  // UserError when they cannot be made of one candidate.
  Views(const score::Network& network, const std::shared_ptr<const task::Task>& task,
        const space::Hardware& hardware, const target::Descriptor& machine = {})
      : Views(network.views(), task, hardware, machine) {}
  Views(const std::vector<std::string>& names, const std::shared_ptr<const task::Task>& task,
        const space::Hardware& hardware, const target::Descriptor& machine = {});
  std::vector<score::View> of(const feature::Replayed& candidate) const;

 private:
  struct OfCandidates {
    std::string name;
    feature::SectionRows rows;
  };
  std::vector<OfCandidates> of_candidates_;
  std::vector<score::View> of_task_;
};

}  // namespace hone::tune
