include("${CMAKE_CURRENT_SOURCE_DIR}/kernels/use_raw_kernels.cmake")
use_raw_kernels(test_worker)
add_dependencies(test_worker hone-worker)
target_compile_definitions(test_worker PRIVATE HONE_WORKER_PROGRAM="$<TARGET_FILE:hone-worker>")
