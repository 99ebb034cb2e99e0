# use_raw_kernels(TARGET): links the kernels written by hand into a test program.
function(use_raw_kernels target)
  set(source "${PROJECT_SOURCE_DIR}/tests/kernels/raw_kernels.cpp")
  target_sources(${target} PRIVATE "${source}")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  # Their bytes are run elsewhere, without the functions of a sanitizer or of the C library.
  set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS
    "-O1;-fno-sanitize=all;-fno-stack-protector;-fcf-protection=none;-fno-tree-loop-distribute-patterns")
endfunction()
