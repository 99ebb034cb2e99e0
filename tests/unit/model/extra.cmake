target_link_libraries(test_model PRIVATE onnx_proto) #models that are wrong are made by hand
