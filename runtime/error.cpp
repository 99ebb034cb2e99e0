#include "runtime/error.h"

#include <stdarg.h>
#include <stdio.h>

namespace hone::runtime {
namespace {

thread_local char message[1024];
thread_local const char* advice = "";

}  // namespace

hone_status fail(hone_status status, const char* hint, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  advice = hint;
  return status;
}

}  // namespace hone::runtime

const char* hone_error() { return hone::runtime::message; }
const char* hone_hint() { return hone::runtime::advice; }
