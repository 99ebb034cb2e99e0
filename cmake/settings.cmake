# Compiler settings that hold for every target of ours.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_RELEASE "-O2")

find_program(HONE_CCACHE ccache)
if(HONE_CCACHE)
  # Paths below the checkout are no part of what it goes by: another clone finds what this one compiled.
  set(launcher "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${PROJECT_SOURCE_DIR};${HONE_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${launcher}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${launcher}")
endif()
find_program(HONE_MOLD mold)
if(HONE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_library(hone_settings INTERFACE)
target_compile_options(hone_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror)
target_compile_definitions(hone_settings INTERFACE $<$<BOOL:${HONE_DCHECK}>:HONE_DCHECK=1>)
target_include_directories(hone_settings INTERFACE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
if(HONE_SANITIZE)
  add_compile_options(-fsanitize=${HONE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HONE_SANITIZE})
endif()

# Making and ranking candidates is a stream of small allocations; with mimalloc it takes a quarter less time.
# For programs only: what is linked into other people's keeps theirs, and sanitizers bring their own.
add_library(hone_allocator INTERFACE)
if(NOT HONE_SANITIZE)
  find_package(mimalloc REQUIRED)
  target_link_libraries(hone_allocator INTERFACE mimalloc)
endif()

# libtorch and LLVM take many seconds to be read when nothing of them is in memory yet; tests are asked
# for their names then.
set(HONE_DISCOVERY_TIMEOUT_S 120)
