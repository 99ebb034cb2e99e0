/* Runs a model once: inputs and outputs are files of plain numbers, one a tensor, in the model's order.
 *
 *   run_model MODEL.hone INPUT... OUTPUT...
 */
#include <hone/hone.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char* what) {
  fprintf(stderr, "error: %s\n", what);
  return 1;
}

static int fail_hone(void) {
  fprintf(stderr, "error: %s\n\nhint: %s\n", hone_error(), hone_hint());
  return 1;
}

static int read_file(const char* path, void* data, size_t size) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return 0;
  const size_t got = fread(data, 1, size, file);
  fclose(file);
  return got == size;
}

static int write_file(const char* path, const void* data, size_t size) {
  FILE* file = fopen(path, "wb");
  if (file == NULL) return 0;
  const size_t put = fwrite(data, 1, size, file);
  return fclose(file) == 0 && put == size;
}

static void print_tensor(const char* kind, const hone_tensor* tensor) {
  printf("%s %s [", kind, tensor->name);
  for (size_t i = 0; i < tensor->rank; ++i)
    printf(i == 0 ? "%lld" : ", %lld", (long long)tensor->shape[i]);
  printf("] %zu bytes\n", tensor->size_bytes);
}

int main(int argc, char** argv) {
  hone_model* model;
  if (argc < 2) return fail("usage: run_model MODEL.hone INPUT... OUTPUT...");
  if (hone_open(argv[1], &model) != HONE_OK) return fail_hone();

  const hone_description about = hone_describe(model);
  if ((size_t)argc != 2 + about.inputs + about.outputs) return fail("one file a tensor, please");
  hone_in* inputs = calloc(about.inputs, sizeof *inputs);
  hone_out* outputs = calloc(about.outputs, sizeof *outputs);
  hone_tensor tensor;
  for (size_t i = 0; i < about.inputs; ++i) {
    hone_input(model, i, &tensor);
    print_tensor("input", &tensor);
    void* data = malloc(tensor.size_bytes);
    if (!read_file(argv[2 + i], data, tensor.size_bytes)) return fail("an input cannot be read");
    inputs[i].data = data;
    inputs[i].size_bytes = tensor.size_bytes;
  }
  for (size_t i = 0; i < about.outputs; ++i) {
    hone_output(model, i, &tensor);
    print_tensor("output", &tensor);
    outputs[i].data = malloc(tensor.size_bytes);
    outputs[i].size_bytes = tensor.size_bytes;
  }

  if (hone_run(model, inputs, about.inputs, outputs, about.outputs) != HONE_OK) return fail_hone();

  for (size_t i = 0; i < about.outputs; ++i) {
    if (!write_file(argv[2 + about.inputs + i], outputs[i].data, outputs[i].size_bytes))
      return fail("an output cannot be written");
    free(outputs[i].data);
  }
  for (size_t i = 0; i < about.inputs; ++i) free((void*)inputs[i].data);
  free(inputs);
  free(outputs);
  hone_close(model);
  return 0;
}
