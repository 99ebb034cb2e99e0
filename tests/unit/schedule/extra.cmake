target_link_libraries(test_schedule PRIVATE simdjson::simdjson)
