// Boosted trees as bytes: a line of JSON (which columns, how long each booster is, whether the last one
// is the validity), then the boosters in XGBoost's own binary form.
#include "base/error.h"
#include "base/json.h"
#include "score/boosted_trees.h"

namespace hone::score {
namespace {

constexpr std::int64_t kMaxColumns = 1 << 16;
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 32;

struct Layout {
  std::vector<int> columns;
  std::vector<std::int64_t> sizes;  // of the boosters
  bool has_validity = false;
};

std::string to_json(const Layout& layout) {
  std::string out = "{\"columns\": ";
  append_json_list(out, layout.columns, append_json_integer);
  out += ", \"sizes\": ";
  append_json_list(out, layout.sizes, append_json_integer);
  out += ", \"validity\": ";
  append_json_integer(out, layout.has_validity ? 1 : 0);
  return out + "}";
}

Layout parse_layout(std::string_view text) {
  JsonCursor json(text);
  Layout layout;
  int n_fields = 0;
  json.object([&](std::string_view name) {
    if (name == "columns") {
      json.list([&] {
        layout.columns.push_back(static_cast<int>(json.integer(0, kMaxColumns, "a column")));
      });
    } else if (name == "sizes") {
      json.list([&] { layout.sizes.push_back(json.integer(0, kMaxBytes, "a size")); });
    } else if (name == "validity") {
      layout.has_validity = json.integer(0, 1, "validity") == 1;
    } else {
      return false;
    }
    ++n_fields;
    return true;
  });
  json.expect_end();
  if (n_fields != 3) json.fail("expected columns, sizes and validity");
  if (layout.has_validity && layout.sizes.empty()) json.fail("validity without a booster");
  return layout;
}

}  // namespace

std::string BoostedTrees::weights() const {
  Layout layout{.columns = columns_, .sizes = {}, .has_validity = validity_.has_value()};
  std::string boosters;
  const auto add = [&](const Booster& booster) {
    const std::string bytes = booster.bytes();
    layout.sizes.push_back(static_cast<std::int64_t>(bytes.size()));
    boosters += bytes;
  };
  for (const Booster& member : members_) add(member);
  if (validity_) add(*validity_);
  return to_json(layout) + "\n" + boosters;
}

void BoostedTrees::set_weights(const std::string& bytes) {
  const std::size_t line = std::min(bytes.find('\n'), bytes.size());
  const Layout layout = parse_layout(std::string_view(bytes).substr(0, line));
  std::vector<Booster> boosters;
  std::string_view rest = std::string_view(bytes).substr(std::min(line + 1, bytes.size()));
  for (const std::int64_t size : layout.sizes) {
    if (static_cast<std::uint64_t>(size) > rest.size())
      throw UserError("the boosted trees of the scorer are cut short", "train the scorer again");
    boosters.emplace_back(rest.substr(0, static_cast<std::size_t>(size)));
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
  columns_ = layout.columns;
  validity_.reset();
  if (layout.has_validity) {
    validity_.emplace(std::move(boosters.back()));
    boosters.pop_back();
  }
  members_ = std::move(boosters);
}

}  // namespace hone::score
