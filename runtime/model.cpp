#include "runtime/model.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/error.h"
#include "runtime/processor.h"
#include "runtime/shared_pool.h"

namespace hone::runtime {
namespace {

constexpr const char* kTuneHere =
    "tune or compile the model on this machine, or compile it with --portable";

hone_status check_count(const char* kind, std::size_t given, std::size_t wanted) {
  if (given == wanted) return HONE_OK;
  return fail(HONE_WRONG_USE, "hone_describe tells how many there are",
              "the model has %zu %ss, and the call gives %zu", wanted, kind, given);
}

hone_status check_memory(const Program& program, const char* kind, const Port& port, const void* data,
                         std::size_t given_bytes) {
  const char* name = program.text(port.name);
  const std::size_t wanted = size_bytes(program, port);
  if (given_bytes != wanted) {
    return fail(HONE_WRONG_USE, "hone_input and hone_output tell types, shapes and sizes",
                "%s %s has %zu bytes, and the call gives %zu", kind, name, wanted, given_bytes);
  }
  if (data == nullptr && wanted > 0) {
    return fail(HONE_WRONG_USE, "", "the memory of %s %s is a null pointer", kind, name);
  }
  if (reinterpret_cast<uintptr_t>(data) % type_bytes(port.type) != 0) {
    return fail(HONE_WRONG_USE, "", "the memory of %s %s is not aligned to its elements", kind, name);
  }
  return HONE_OK;
}

}  // namespace

Model::~Model() {
  while (waiting_ != nullptr) {
    Context* context = waiting_;
    waiting_ = context->next;
    Context::destroy(context);
  }
}

hone_status Model::open(const char* path) {
  const hone_status status = file_.open(path);
  if (status != HONE_OK) return status;
  if (manifest().empty() || manifest().back() != std::byte{0}) {
    return fail(HONE_DAMAGED, "make it anew with `hone compile`", "%s has no manifest", path);
  }
  return choose_variant(path);
}

hone_status Model::choose_variant(const char* path) {
  char target[256] = "", missing[64] = "";
  for (const SectionEntry& section : file_.sections()) {
    if (section.kind != SectionKind::Program) continue;
    const Program program(file_.bytes(section));
    const std::size_t image_bytes = file_.find(SectionKind::Images, section.variant).size();
    if (const char* fault = program.fault(image_bytes, weight_bytes())) {
      return fail(HONE_DAMAGED, "make it anew with `hone compile`", "%s cannot be run: %s", path,
                  fault);
    }
    code_.program = program;
    strncpy(target, program.text(program.header().target), sizeof target - 1);
    const bool same = program.header().architecture == architecture();
    if (!same) strncpy(missing, "its instructions", sizeof missing - 1);
    if (same && !lacks_feature(program.text(program.header().features), missing, sizeof missing)) {
      return load_code(section.variant, path);
    }
  }
  if (*target == '\0') return fail(HONE_DAMAGED, "", "%s has no program", path);
  return fail(HONE_OTHER_MACHINE, kTuneHere,
              "%s was made for another machine: this processor lacks %s (made for: %s)", path, missing,
              target);
}

hone_status Model::load_code(std::uint32_t variant, const char* path) {
  const std::span<const std::byte> images = file_.find(SectionKind::Images, variant);
  code_.images = images.data();
  code_.weights = file_.find(SectionKind::Weights).data();
  if (images.empty()) return HONE_OK;
  auto* begin = const_cast<char*>(reinterpret_cast<const char*>(images.data()));
  if (mprotect(begin, images.size(), PROT_READ | PROT_EXEC) != 0) {
    copied_code_ = Image(images);  // a file system from which nothing may be executed
    if (copied_code_.empty()) return fail(HONE_UNREADABLE, "", "code of %s may not be executed", path);
    code_.images = copied_code_.data();
  } else {
    __builtin___clear_cache(begin, begin + images.size());
  }
  return HONE_OK;
}

Context* Model::take_context() {
  pthread_mutex_lock(&mutex_);
  Context* context = waiting_;
  if (context != nullptr) waiting_ = context->next;
  pthread_mutex_unlock(&mutex_);
  return context != nullptr ? context : Context::make(code_);
}

void Model::give_back(Context* context) {
  pthread_mutex_lock(&mutex_);
  context->next = waiting_;
  waiting_ = context;
  pthread_mutex_unlock(&mutex_);
}

hone_status Model::run(std::span<const hone_in> inputs, std::span<const hone_out> outputs,
                       std::int64_t* step_ns) {
  const Program& program = code_.program;
  hone_status status = check_count("input", inputs.size(), program.inputs().size());
  if (status == HONE_OK) status = check_count("output", outputs.size(), program.outputs().size());
  for (std::size_t i = 0; status == HONE_OK && i < inputs.size(); ++i) {
    status = check_memory(program, "input", program.inputs()[i], inputs[i].data, inputs[i].size_bytes);
  }
  for (std::size_t i = 0; status == HONE_OK && i < outputs.size(); ++i) {
    status =
        check_memory(program, "output", program.outputs()[i], outputs[i].data, outputs[i].size_bytes);
  }
  if (status != HONE_OK) return status;

  const PoolUse pool;
  Context* context = pool.ok() ? take_context() : nullptr;
  const bool ready = context != nullptr && context->prepare(pool.table().threads);
  if (ready) {
    // Kernels take all their memory by one kind of pointer; they write to none of their inputs.
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      context->set_port(i, const_cast<void*>(inputs[i].data));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      context->set_port(inputs.size() + i, outputs[i].data);
    }
    context->run(pool.table(), step_ns);
  }
  if (context != nullptr) give_back(context);
  return ready ? HONE_OK
               : fail(HONE_NO_MEMORY, "", "there is not enough memory: an execution needs %llu bytes",
                      static_cast<unsigned long long>(program.header().arena_bytes));
}

}  // namespace hone::runtime
