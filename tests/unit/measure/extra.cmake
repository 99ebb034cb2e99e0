include("${CMAKE_CURRENT_SOURCE_DIR}/kernels/use_raw_kernels.cmake")
use_raw_kernels(test_measure)
