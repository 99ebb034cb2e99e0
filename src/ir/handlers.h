// What each instruction does. Operands as in Instruction; s[x] is slot x, every lane alike.
#pragma once
#include "ir/machine.h"

namespace hone::ir::bytecode {

// s[dst] = s[a] op s[b]; an integer division by zero fails.
Handler binary_handler(BinaryOp op, Scalar scalar);
// s[dst] = function(s[a], s[b], s[c]); value is the function, limit the scalar.
const Instruction* call_float(const Instruction& in, Machine& m);
const Instruction* call_int(const Instruction& in, Machine& m);
// s[dst] = s[a] from scalar `value` to scalar `limit`.
const Instruction* convert_lanes(const Instruction& in, Machine& m);
const Instruction* reinterpret_lanes(const Instruction& in, Machine& m);
const Instruction* negate(const Instruction& in, Machine& m);  // s[dst] = !s[a]
const Instruction* select_lanes(const Instruction& in,
                                Machine& m);  // s[a] ? s[b] : s[c]; limit: lanes of a
const Instruction* make_ramp(const Instruction& in, Machine& m);        // s[a] + lane * s[b]
const Instruction* broadcast_lanes(const Instruction& in, Machine& m);  // scalar s[a]
const Instruction* copy_lanes(const Instruction& in, Machine& m);       // s[a]
const Instruction* add_scaled(const Instruction& in, Machine& m);       // s[a] * value + scalar s[b]

// s[a] must lie in [0, limit): dimension `value` of buffer `which`. Masked: in lanes where s[c] holds.
const Instruction* check_index(const Instruction& in, Machine& m);
const Instruction* check_index_masked(const Instruction& in, Machine& m);
// Lanes of a buffer: at element s[a] each, only where s[c] holds, or all in one wide element s[a].
enum class AccessMode : std::uint8_t { Lanes, Masked, Wide };
Handler load_handler(Scalar scalar, AccessMode mode);   // s[dst] = buffer[...]
Handler store_handler(Scalar scalar, AccessMode mode);  // buffer[...] = s[b]; never masked
const Instruction* forget_contents(const Instruction& in, Machine& m);  // buffer `which` is new

const Instruction* begin_loop(const Instruction& in,
                              Machine& m);  // dst: variable, a: min, b: extent, c: end
const Instruction* next_iteration(const Instruction& in, Machine& m);  // dst: variable, c: end
const Instruction* jump(const Instruction& in, Machine& m);
const Instruction* jump_unless(const Instruction& in, Machine& m);  // s[a]
// dst: variable, which: dimension, limit: extent. Jumps over the body when the thread has no iteration.
const Instruction* bind_thread(const Instruction& in, Machine& m);
const Instruction* start_launch(const Instruction& in,
                                Machine& m);                   // which: launch; jumps over its body
const Instruction* stop(const Instruction& in, Machine& m);    // at a barrier
const Instruction* finish(const Instruction& in, Machine& m);  // at the end of a program or launch

}  // namespace hone::ir::bytecode
