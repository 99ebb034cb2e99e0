// Feature views as tensors: ragged rows, a few for each program.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "train/data_set.h"
#include "train/torch.h"

namespace hone::train {

// A GPU works through what it is asked, one thing after the other, and whoever reads a result waits for
// all before it. So what can be counted here is counted here, and copies to the device do not wait.
torch::Tensor numbers_on(const torch::Device& device, const std::vector<std::int64_t>& numbers);

// The rows of n programs behind each other. Layers that look at one row at a time work on `rows`; what
// looks along a program pads first.
struct View {
  torch::Tensor rows;     // [rows, columns]
  torch::Tensor program;  // [rows]: whose row it is, 0 to n - 1
  torch::Tensor place;    // [rows]: the how many-th of its program
  std::int64_t n = 0, longest = 0;
  std::vector<std::int64_t> lengths;  // [n]: rows of each program; known without asking the device
  // Of features that are padded to a length, whose rows many programs share: rows that differ, by
  // their places in `rows`, and [rows] which of them a row equals. Else not defined.
  torch::Tensor different, which;

  // Values of the rows as [n, length, columns], zero where a program has fewer rows; what it has more
  // is cut. A length of 0 is the longest program's.
  torch::Tensor pad(const torch::Tensor& values, std::int64_t length = 0) const;
  torch::Tensor mask() const;    // [n, longest]: true where a row is
  torch::Tensor counts() const;  // [n]: rows of each program
};

struct Batch {
  std::int64_t n = 0;
  torch::Tensor platform;  // [n]: on which of the set's a program was measured
  std::map<std::string, View> views;

  const View& view(const std::string& name) const { return views.at(name); }
};

// The feature sections of a set that a model reads, on the device where it runs. Those of several files
// are one behind the other.
class Features {
 public:
  // UserError when a section is missing or damaged, or not the same kind of section in all files.
  Features(const DataSet& set, const std::vector<std::string>& names, torch::Device device);

  struct Info {
    std::int64_t version = 0, columns = 0;
    bool of_task = false;
    std::int64_t length = 0;  // to which the rows of a program are to be padded; 0: none is said

    bool operator==(const Info&) const = default;
  };
  const Info& info(const std::string& name) const { return sources_.at(name).info; }
  std::string versions() const;                                          // "statements 1, primitives 1"
  const std::vector<Platform>& platforms() const { return platforms_; }  // of the set
  torch::Device device() const { return device_; }
  struct Owner {
    std::uint32_t task = 0;
    std::int64_t platform = 0;
  };
  const Owner& owner(Program program) const { return owners_[program]; }

  Batch batch(const std::vector<Program>& programs) const;

 private:
  struct Source {
    Info info;
    torch::Tensor rows, offsets;
    torch::Tensor known_offsets = {};        // the same where the program runs
    std::vector<std::int32_t> numbers = {};  // of each row; equal rows have the same
    std::size_t n_different = 0;             // of them
  };
  static Source load(const Part& part, const std::string& name);
  static Source load(const DataSet& set, const std::string& name);
  void find_different(const Source& source, const std::vector<Program>& programs, View& view) const;

  std::vector<Part> parts_;  // what the tensors may point into
  std::vector<Platform> platforms_;
  torch::Device device_;
  std::vector<std::string> names_;
  std::map<std::string, Source> sources_;
  torch::Tensor task_of_, platform_of_;  // of each program
  std::vector<Owner> owners_;            // the same where the program runs
};

}  // namespace hone::train
