#include "target/target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "base/error.h"

namespace hone::target {
namespace {

constexpr std::int64_t kKiB = 1024;

Target avx2() {
  Target t;
  t.name = "avx2";
  t.triple = "x86_64-unknown-linux-gnu";
  t.cpu = "x86-64-v3";
  t.features = "+avx2,+fma,+f16c,+bmi,+bmi2,+lzcnt,+popcnt,+movbe";
  t.vector_bits = 256;
  t.vector_registers = 16;
  t.caches = {
      {1, 32 * kKiB, 8, 64, false}, {2, 256 * kKiB, 8, 64, false}, {3, 8192 * kKiB, 16, 64, true}};
  return t;
}

// Every x86-64 processor since about 2009.
Target sse4() {
  Target t = avx2();
  t.name = "sse4";
  t.cpu = "x86-64-v2";
  t.features = "+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt";
  t.vector_bits = 128;
  t.fma = false;
  return t;
}

Target avx512() {
  Target t = avx2();
  t.name = "avx512";
  t.cpu = "x86-64-v4";
  t.features += ",+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl";
  t.vector_bits = 512;
  t.vector_registers = 32;
  t.caches[1].size_bytes = 1024 * kKiB;
  return t;
}

Target neon() {
  Target t;
  t.name = "neon";
  t.arch = Arch::Aarch64;
  t.triple = "aarch64-unknown-linux-gnu";
  t.cpu = "cortex-a76";
  t.features = "+neon,+fullfp16,+dotprod";
  t.vector_bits = 128;
  t.vector_registers = 32;
  t.caches = {
      {1, 64 * kKiB, 4, 64, false}, {2, 512 * kKiB, 8, 64, false}, {3, 2048 * kKiB, 16, 64, true}};
  return t;
}

std::string print(const Cache& cache) {
  return fmt::format("{}:{}K:{}:{}{}", cache.level, cache.size_bytes / kKiB, cache.ways,
                     cache.line_bytes, cache.shared ? ":shared" : "");
}

// Reads the options of a printed target one by one; every mistake names the option.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Target run() {
    Target target;
    target.name = text_;
    std::string_view rest = text_;
    check_that(next(rest, ' ') == "cpu", "it does not begin with \"cpu\"");
    while (!rest.empty()) {
      const std::string_view option = next(rest, ' ');
      if (!option.empty()) apply(target, option);
    }
    check_that(!target.triple.empty(), "it has no -arch");
    return target;
  }

 private:
  void check_that(bool ok, std::string_view why) const {
    if (ok) return;
    throw UserError(
        fmt::format("\"{}\" is no target: {}", text_, why),
        fmt::format("known names are {}; any other target is what `hone target show` prints",
                    fmt::join(known_names(), ", ")));
  }

  // Cuts `text` at the first separator and gives the part before it.
  static std::string_view next(std::string_view& text, char separator) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return part;
  }

  int positive(std::string_view value, std::string_view option) const {
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    check_that(error == std::errc() && end == value.data() + value.size() && number > 0,
               fmt::format("{} wants a positive number, not \"{}\"", option, value));
    return number;
  }

  Cache cache(std::string_view text) const {
    Cache out{};
    out.level = positive(next(text, ':'), "-caches");
    std::string_view size = next(text, ':');
    check_that(size.ends_with('K'), "-caches wants sizes in K");
    size.remove_suffix(1);
    out.size_bytes = positive(size, "-caches") * kKiB;
    out.ways = positive(next(text, ':'), "-caches");
    out.line_bytes = positive(next(text, ':'), "-caches");
    check_that(text.empty() || text == "shared", "-caches ends with \"shared\" or nothing");
    out.shared = !text.empty();
    return out;
  }

  void apply(Target& target, std::string_view option) const {
    std::string_view value = option;
    const std::string_view key = next(value, '=');
    if (key == "-arch") {
      check_that(value == "x86_64" || value == "aarch64", "-arch is x86_64 or aarch64");
      target.arch = value == "x86_64" ? Arch::X86_64 : Arch::Aarch64;
      target.triple = fmt::format("{}-unknown-linux-gnu", value);
    } else if (key == "-mcpu") {
      target.cpu = value;
    } else if (key == "-mattr") {
      target.features = value;
    } else if (key == "-vector") {
      target.vector_bits = positive(value, key);
    } else if (key == "-registers") {
      target.vector_registers = positive(value, key);
    } else if (key == "-cores") {
      target.cores = positive(value, key);
    } else if (key == "-caches") {
      while (!value.empty()) target.caches.push_back(cache(next(value, ',')));
    } else if (key == "-nofma") {
      target.fma = false;
    } else {
      check_that(false, fmt::format("it has no option {}", key));
    }
  }

  std::string_view text_;
};

}  // namespace

std::vector<std::string> known_names() { return {"host", "sse4", "avx2", "avx512", "neon"}; }

Target parse(std::string_view text) {
  if (text == "host") return host();
  if (text == "sse4") return sse4();
  if (text == "avx2") return avx2();
  if (text == "avx512") return avx512();
  if (text == "neon") return neon();
  return Reader(text).run();
}

std::vector<Target> portable(Arch arch) {
  if (arch == Arch::X86_64) return {avx2(), sse4()};
  return {neon()};
}

std::string to_string(const Target& target) {
  std::string out =
      fmt::format("cpu -arch={} -mcpu={} -mattr={} -vector={} -registers={} -cores={}",
                  target.arch == Arch::X86_64 ? "x86_64" : "aarch64", target.cpu, target.features,
                  target.vector_bits, target.vector_registers, target.cores);
  if (!target.fma) out += " -nofma";
  for (std::size_t i = 0; i < target.caches.size(); ++i) {
    out += (i == 0 ? " -caches=" : ",") + print(target.caches[i]);
  }
  return out;
}

}  // namespace hone::target
