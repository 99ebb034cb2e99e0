target_link_libraries(test_artefact PRIVATE hone_space)
add_dependencies(test_artefact hone_runtime_shared)
target_compile_definitions(test_artefact PRIVATE HONE_BUILD_DIR="${CMAKE_BINARY_DIR}"
  HONE_IS_SANITIZED=$<IF:$<STREQUAL:${HONE_SANITIZE},>,false,true>)
