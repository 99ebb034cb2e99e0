#include "measure/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/affinity.h"
#include "base/clock.h"
#include "base/error.h"

namespace hone::measure {
namespace {

Built build(const Build& candidate, double limit_s) {
  Built built;
  const double start = now_s(), worked = thread_cpu_s();
  try {
    built.kernel = candidate();
  } catch (const UserError& error) {
    built.status = Status::Instantiation;
    built.message = error.what();
  } catch (const std::exception& error) {
    built.status = Status::CompileHost;
    built.message = error.what();
  }
  built.seconds = thread_cpu_s() - worked;  // others may have come first
  if (const double took = now_s() - start; built.status == Status::Ok && took > limit_s) {
    built.status = Status::BuildTimeout;
    built.seconds = took;
    built.message = fmt::format("took {:.2f} s to build, the limit is {} s", took, limit_s);
  }
  return built;
}

}  // namespace

Builder::Builder(int threads, std::vector<int> cpus, double limit_s) : limit_s_(limit_s) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this, cpus] {
      keep_to(cpus);
      give_way();  // to whoever chooses the next batch: without one, nobody has anything to do
      work();
    });
  }
}

Builder::~Builder() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Builder::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (!build_one(lock)) changed_.wait(lock);
  }
}

bool Builder::build_one(std::unique_lock<std::mutex>& lock) {
  const auto found = std::ranges::find_if(batches_, [](const Batch* b) { return b->next_ < b->end_; });
  if (found == batches_.end()) return false;
  Batch* batch = *found;
  const std::size_t index = batch->next_++;
  ++batch->in_work_;
  lock.unlock();
  Built built = build(batch->candidates_[index], limit_s_);
  lock.lock();
  batch->slots_[index] = {true, std::move(built)};
  --batch->in_work_;
  changed_.notify_all();
  return true;
}

Builder::Batch::Batch(Builder& builder, std::vector<Build> candidates)
    : builder_(builder), candidates_(std::move(candidates)), slots_(candidates_.size()) {
  const std::lock_guard lock(builder_.mutex_);
  builder_.batches_.push_back(this);
}

Builder::Batch::~Batch() {
  std::unique_lock lock(builder_.mutex_);
  std::erase(builder_.batches_, this);
  builder_.changed_.wait(lock, [&] { return in_work_ == 0; });
}

void Builder::Batch::allow(std::size_t end) {
  const std::lock_guard lock(builder_.mutex_);
  end_ = std::min(end, candidates_.size());
  builder_.changed_.notify_all();
}

void Builder::Batch::finish(std::size_t end) {
  allow(end);
  std::unique_lock lock(builder_.mutex_);
  while (builder_.build_one(lock)) {
  }
  builder_.changed_.wait(lock, [&] { return in_work_ == 0; });
}

Built Builder::Batch::take(std::size_t index) {
  std::unique_lock lock(builder_.mutex_);
  check(index < end_, "only what may be built can be taken");
  while (!slots_[index].done) {
    if (!builder_.build_one(lock)) builder_.changed_.wait(lock);
  }
  return std::move(slots_[index].built);
}

}  // namespace hone::measure
