target_sources(test_search PRIVATE unit/search/recorded_space.cpp unit/search/nearest_model.cpp)
