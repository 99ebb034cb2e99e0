// Tensors of images: where a layout puts channels and positions, padding, and windows that slide.
#pragma once
#include <string>
#include <vector>

#include "task/ops/operator.h"

namespace hone::task::ops {

// The order of an image's dimensions. Channels are one dimension or, in blocked layouts, two: the
// block and the place in it.
class Layout {
 public:
  explicit Layout(std::string_view name);  // a word of layout_key

  bool channels_last() const { return channels_last_; }
  bool is_blocked() const { return is_blocked_; }

  // The extents of `channels` channels. Blocks hold 16, or all when there are fewer (the colours of a
  // picture). Throws UserError that blames `key` when the blocks do not come out even.
  Shape channel_extents(std::int64_t channels, std::string_view key) const;

  // Channels and positions in the order of the layout. The same rule orders the dimensions of an image,
  // those of a reduction over it and those of a weight (whose positions are the reduction's).
  template <class T>
  std::vector<T> order(const std::vector<T>& channels, const std::vector<T>& positions) const {
    std::vector<T> all;
    const auto split = channels.begin() + (channels_last_ ? 0 : 1);
    all.insert(all.end(), channels.begin(), split);
    all.insert(all.end(), positions.begin(), positions.end());
    all.insert(all.end(), split, channels.end());
    return all;
  }
  // A whole batch of images: the batch comes first.
  template <class T>
  std::vector<T> batch(T n, const std::vector<T>& channels, const std::vector<T>& positions) const {
    std::vector<T> all = order(channels, positions);
    all.insert(all.begin(), std::move(n));
    return all;
  }
  // Which dimensions of a batch of images are the channels.
  ChannelDims channel_dims(std::size_t positions) const;
  Axes channel_axes_of(const ir::BufferNode& image, std::size_t positions) const;

 private:
  bool channels_last_, is_blocked_;
};

Key layout_key();
Key batch_key();

Axes channel_axes(const std::string& name, const Shape& extents);  // `name`, and `name`b in a block

// One dimension of an image, over which a window slides.
struct Window {
  std::string axis;                                             // "z", "y" or "x"
  std::int64_t input, kernel, stride, before, after, dilation;  // before, after: padding

  std::int64_t span() const { return dilation * (kernel - 1) + 1; }  // from the first to the last tap
  std::int64_t padded() const { return before + input + after; }
  std::int64_t output() const { return (padded() - span()) / stride + 1; }
};
using Windows = std::vector<Window>;

// The names of an image's one, two or three dimensions: "z", "y", "x", or the last of them.
std::vector<std::string> position_names(std::size_t dimensions);

// The keys of an image's sizes in one, two or three dimensions, and of a window over it: k, s, p, d.
// A key for one dimension (kh) falls back to the key for all (k).
std::vector<Key> size_keys(int dimensions);
std::vector<Key> window_keys(int dimensions, const std::string& stride);
Windows windows(const Arguments& args, int dimensions);
// Throws UserError when a window is larger than the padded image.
void check_fit(const Arguments& args, const Windows& windows);

Axes output_axes(const Windows& windows);
Axes tap_axes(const Windows& windows);
// Where each tap of the window at `output` reads.
Index tap_positions(const Windows& windows, const Axes& output, const Axes& taps);

// Elements added around one dimension.
struct Margin {
  std::int64_t before = 0, after = 0;
};
// The tensor with margins of `value`, which cut off where they are negative; the tensor itself when all
// are zero.
ir::Buffer pad(Draft& draft, const std::string& name, const ir::Buffer& tensor, const Axes& dims,
               const std::vector<Margin>& margins, const ir::Expr& value);
// A new placeholder X, a batch of images.
ir::Buffer image_placeholder(Draft& draft, const Layout& layout, std::int64_t batch,
                             const Shape& channels, const Windows& windows);
// A batch of images, padded with `value` as the windows ask.
ir::Buffer padded_image(Draft& draft, const Layout& layout, const ir::Buffer& image,
                        const Windows& windows, const ir::Expr& value);

ir::Expr all_of(const std::vector<ir::Expr>& conditions);

}  // namespace hone::task::ops
