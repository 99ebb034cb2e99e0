target_link_libraries(test_task PRIVATE simdjson::simdjson)
