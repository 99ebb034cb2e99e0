// How far apart two processors are.
#pragma once

namespace hone {

// Nanoseconds in which a cache line goes from one processor to the other and back: about 50 when they
// share a cache, several hundred when they do not. A virtual machine's processors may be moved by its
// host, so that it changes from one minute to the next. Takes a few milliseconds.
double round_trip_ns(int cpu, int other_cpu);

}  // namespace hone
