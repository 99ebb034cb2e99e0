#include "runtime/copy.h"

#include <string.h>

namespace hone::runtime {
namespace {

// A region costs about a microsecond, in which one thread copies 10 KB.
constexpr std::int64_t kLeastShared = 128 << 10;
constexpr std::int64_t kPiece = 32 << 10;  // of a row that is shared among threads

struct Job {
  CopyRows rows;
  const std::byte* from;
  std::byte* to;
};

void copy_some(void* context, std::int64_t begin, std::int64_t end, std::int64_t /*thread*/) {
  const Job& job = *static_cast<const Job*>(context);
  for (std::int64_t row = begin; row < end; ++row) {
    memcpy(job.to + row * job.rows.to_stride_bytes, job.from + row * job.rows.from_stride_bytes,
           static_cast<std::size_t>(job.rows.row_bytes));
  }
}

}  // namespace

void copy_rows(const CopyRows& copy, const std::byte* from, std::byte* to, const hone_table& table) {
  Job job{copy, from, to};
  const bool is_dense = copy.rows == 1 || (copy.from_stride_bytes == copy.row_bytes &&
                                           copy.to_stride_bytes == copy.row_bytes);
  const std::int64_t bytes = copy.rows * copy.row_bytes;
  if (bytes < kLeastShared) {
    if (is_dense) {
      memcpy(to, from, static_cast<std::size_t>(bytes));
    } else {
      copy_some(&job, 0, copy.rows, 0);
    }
    return;
  }
  std::int64_t rest = 0;
  if (is_dense) {
    job.rows = {bytes / kPiece, kPiece, kPiece, kPiece};
    rest = bytes % kPiece;
  }
  table.parallel(&table, &copy_some, &job, job.rows.rows);
  const std::int64_t done = bytes - rest;
  if (rest > 0) memcpy(to + done, from + done, static_cast<std::size_t>(rest));
}

}  // namespace hone::runtime
