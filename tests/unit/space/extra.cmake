target_link_libraries(test_space PRIVATE hone_lower simdjson::simdjson)
