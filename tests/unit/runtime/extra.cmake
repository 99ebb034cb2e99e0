# A program with the runtime in it that is linked as C: it fails to link once the runtime needs the C++ library.
if(NOT HONE_SANITIZE)
  add_executable(runtime_alone unit/runtime/runtime_alone.cpp)
  set_target_properties(runtime_alone PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_compile_options(runtime_alone PRIVATE -fno-exceptions -fno-rtti)
  target_link_libraries(runtime_alone PRIVATE hone_runtime)
  add_dependencies(test_runtime runtime_alone)
  target_compile_definitions(test_runtime PRIVATE HONE_RUNTIME_ALONE="$<TARGET_FILE:runtime_alone>")
endif()
