// How `hone tune` shows a run while it goes on.
#pragma once
#include "tune/event.h"

namespace hone::cli {

enum class Show : std::uint8_t {
  Nothing,
  Lines,   // one at each new best, and one each 30 s
  Screen,  // a few lines, drawn anew several times a second
  Json,    // events on stdout
};

// Screen on a terminal, unless HONE_NO_PROGRESS is set; Lines elsewhere.
Show default_show();

tune::Listener make_display(Show show, bool verbose);

}  // namespace hone::cli
