#include "runtime/processor.h"

#include <stdio.h>
#include <string.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace hone::runtime {
namespace {

// The words that src/target uses of each architecture; the operating system's part (does it save the
// wide registers?) is in the answers.
bool has_feature(const char* word, std::size_t size) {
  struct Feature {
    const char* name;
    bool here;
  };
#if defined(__x86_64__)
  __builtin_cpu_init();
#define HONE_FEATURE(name) {name, __builtin_cpu_supports(name) != 0}
  const Feature features[] = {HONE_FEATURE("sse3"),           HONE_FEATURE("ssse3"),
                              HONE_FEATURE("sse4.1"),         HONE_FEATURE("sse4.2"),
                              HONE_FEATURE("popcnt"),         HONE_FEATURE("avx"),
                              HONE_FEATURE("avx2"),           HONE_FEATURE("fma"),
                              HONE_FEATURE("f16c"),           HONE_FEATURE("bmi"),
                              HONE_FEATURE("bmi2"),           HONE_FEATURE("lzcnt"),
                              HONE_FEATURE("movbe"),          HONE_FEATURE("avx512f"),
                              HONE_FEATURE("avx512bw"),       HONE_FEATURE("avx512cd"),
                              HONE_FEATURE("avx512dq"),       HONE_FEATURE("avx512vl"),
                              HONE_FEATURE("avx512vbmi"),     HONE_FEATURE("avx512vbmi2"),
                              HONE_FEATURE("avx512vnni"),     HONE_FEATURE("avx512bf16"),
                              HONE_FEATURE("avx512bitalg"),   HONE_FEATURE("gfni"),
                              HONE_FEATURE("avx512vpopcntdq")};
#undef HONE_FEATURE
#elif defined(__aarch64__)
  const unsigned long bits = getauxval(AT_HWCAP);
  const Feature features[] = {{"neon", (bits & HWCAP_ASIMD) != 0},
                              {"fullfp16", (bits & HWCAP_ASIMDHP) != 0},
                              {"dotprod", (bits & HWCAP_ASIMDDP) != 0}};
#endif
  for (const Feature& feature : features) {
    if (strlen(feature.name) == size && memcmp(feature.name, word, size) == 0) return feature.here;
  }
  return false;
}

}  // namespace

Architecture architecture() {
#if defined(__x86_64__)
  return Architecture::X86_64;
#elif defined(__aarch64__)
  return Architecture::Aarch64;
#else
#error "hone runs on x86-64 and AArch64"
#endif
}

bool lacks_feature(const char* features, char* word, std::size_t word_size) {
  while (*features != '\0') {
    const std::size_t size = strcspn(features, " ");
    if (size > 0 && !has_feature(features, size)) {
      snprintf(word, word_size, "%.*s", static_cast<int>(size), features);
      return true;
    }
    features += size + (features[size] == ' ' ? 1 : 0);
  }
  return false;
}

}  // namespace hone::runtime
