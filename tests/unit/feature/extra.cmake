target_link_libraries(test_feature PRIVATE simdjson::simdjson hone_record)
