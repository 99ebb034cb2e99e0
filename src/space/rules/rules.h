// Ansor's sketch rules (ansor.md 4.3), one a file.
#pragma once
#include "space/rule.h"

namespace hone::space::rules {

Rule skip();                      // leaves the stage as it is
Rule always_inline();             // computes a cheap stage where it is read
Rule multi_level_tiling();        // tiles a stage that reads its operands again and again
Rule tiling_with_fusion();        // tiles it and computes it inside the tiles of its reader
Rule add_cache_read();            // copies an operand of a tiled stage to shared memory
Rule add_cache_write();           // computes a tiled stage in a buffer of its own, then copies it
Rule add_rfactor();               // reduces in parallel or in vectors, then combines the parts
Rule simplify_const_tensor();     // unrolls the axes that walk over constant matrices
Rule cross_thread_reduction();    // lets the threads of a warp reduce together
Rule special_compute_location();  // computes what a constant matrix multiplies just before its unrolled
                                  // axes

}  // namespace hone::space::rules
