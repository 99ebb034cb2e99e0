target_link_libraries(test_model PRIVATE onnx)  # messages made by hand, and its shape inference
