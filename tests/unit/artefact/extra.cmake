target_link_libraries(test_artefact PRIVATE graph_generator)
add_dependencies(test_artefact hone_runtime_shared)
set(is_sanitized false)
if(HONE_SANITIZE)
  set(is_sanitized true)
endif()
target_compile_definitions(test_artefact PRIVATE HONE_BUILD_DIR="${CMAKE_BINARY_DIR}"
  HONE_IS_SANITIZED=${is_sanitized})
