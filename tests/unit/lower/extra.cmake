target_sources(test_lower PRIVATE nest_events.cpp tvm_nest.cpp property/random_schedule.cpp)
target_link_libraries(test_lower PRIVATE simdjson::simdjson)
