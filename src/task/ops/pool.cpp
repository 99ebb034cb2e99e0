// Pooling: the largest or the mean element of each window.
#include <fmt/format.h>

#include "base/error.h"
#include "task/ops/window_ops.h"

namespace hone::task::ops {
namespace {

void check_windows(const Arguments& args, const Windows& windows) {
  check_fit(args, windows);
  for (const Window& window : windows) {
    if (window.before < window.kernel) continue;
    throw UserError(fmt::format("{}: with a padding of {} some windows of {} hold no element",
                                args.operator_name(), window.before, window.kernel),
                    fmt::format("the padding is at most {}", window.kernel - 1));
  }
}

ChannelDims write_max_pool(Draft& draft, const Arguments& args) {
  const Layout layout(args.word("layout"));
  const Windows window = windows(args, 2);
  check_windows(args, window);
  const Shape channels = layout.channel_extents(args["ci"], "ci");
  pool(draft, layout, window, Reducer::Max,
       image_placeholder(draft, layout, args["n"], channels, window));
  return layout.channel_dims(window.size());
}

// The mean over the whole window, padding counted as zeros.
ChannelDims write_mean(Draft& draft, const Arguments& args, const Windows& window) {
  const Layout layout(args.word("layout"));
  const Shape channels = layout.channel_extents(args["ci"], "ci");
  const ir::Buffer sum = pool(draft, layout, window, Reducer::Sum,
                              image_placeholder(draft, layout, args["n"], channels, window));
  double elements = 1;
  for (const Window& w : window) elements *= static_cast<double>(w.kernel);
  const Axes all = fresh(draft.last().axes);
  draft.compute("mean", all, ir::load(sum, index_of(all)) * ir::constant(1 / elements, sum->type));
  return layout.channel_dims(window.size());
}

ChannelDims write_avg_pool(Draft& draft, const Arguments& args) {
  const Windows window = windows(args, 2);
  check_windows(args, window);
  return write_mean(draft, args, window);
}

ChannelDims write_global_avg_pool(Draft& draft, const Arguments& args) {
  const std::int64_t h = args["h"], w = args["w"];
  return write_mean(draft, args, {{"y", h, h, 1, 0, 0, 1}, {"x", w, w, 1, 0, 0, 1}});
}

std::vector<Key> pool_keys(const std::vector<Key>& window, const Key& types) {
  std::vector<Key> keys = {batch_key(), {"ci", "", "channels"}};
  for (const Key& key : size_keys(2)) keys.push_back(key);
  keys.insert(keys.end(), window.begin(), window.end());
  keys.push_back(layout_key());
  keys.push_back(types);
  return keys;
}

}  // namespace

std::vector<Operator> pool_operators() {
  const std::vector<Key> window = window_keys(2, "k");
  return {
      {"max_pool", "the largest element of each window", pool_keys(window, number_types()),
       "max_pool:ci=64,hw=112,k=3,s=2,p=1", write_max_pool},
      {"avg_pool", "the mean of each window, padding counted", pool_keys(window, float_types()),
       "avg_pool:ci=64,hw=56,k=2", write_avg_pool},
      {"global_avg_pool", "the mean of each channel", pool_keys({}, float_types()),
       "global_avg_pool:ci=2048,hw=7", write_global_avg_pool},
  };
}

}  // namespace hone::task::ops
