// An open artefact: the variant that fits this machine, and the contexts that wait to execute it.
#pragma once
#include <pthread.h>

#include <cstddef>
#include <span>

#include "runtime/artefact_file.h"
#include "runtime/context.h"
#include "runtime/hone.h"
#include "runtime/image.h"

namespace hone::runtime {

class Model {
 public:
  Model() = default;
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  hone_status open(const char* path);

  const Program& program() const { return code_.program; }
  std::span<const std::byte> manifest() const { return file_.find(SectionKind::Manifest); }
  std::size_t weight_bytes() const { return file_.find(SectionKind::Weights).size(); }

  // Any number of threads at the same time. `step_ns` may be null.
  hone_status run(std::span<const hone_in> inputs, std::span<const hone_out> outputs,
                  std::int64_t* step_ns);

 private:
  hone_status choose_variant(const char* path);
  hone_status load_code(std::uint32_t variant, const char* path);
  Context* take_context();
  void give_back(Context* context);

  ArtefactFile file_;
  Code code_;
  Image copied_code_;  // where the file may not be executed
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Context* waiting_ = nullptr;  // a list
};

}  // namespace hone::runtime
