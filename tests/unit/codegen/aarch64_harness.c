// Runs a kernel image by itself on AArch64 Linux, without a C library (cross compilers often come
// without):
//   harness IMAGE ENTRY SCRATCH_BYTES THREAD_SCRATCH_BYTES BUFFER...
// Every BUFFER is a file that holds a buffer's bytes and gets its new ones.
#include "runtime/kernel_abi.h"

enum { kThreads = 2, kMaxBuffers = 64 };
enum { kOpenAt = 56, kSeek = 62, kRead = 63, kWrite = 64, kExit = 93, kMap = 222 };  // Linux's numbers
enum { kCurrentFolder = -100, kReadWrite = 2, kFromStart = 0, kFromEnd = 2 };
enum { kReadWriteExecute = 7, kPrivateAnonymous = 0x22 };

static long call6(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}

static long checked(long result) {
  if (result < 0) call6(kExit, 2, 0, 0, 0, 0, 0);
  return result;
}

static void* memory(long size) {
  return (void*)checked(call6(kMap, 0, size + 1, kReadWriteExecute, kPrivateAnonymous, -1, 0));
}

struct file {
  long descriptor, size;
  char* data;
};

static struct file read_all(const char* path) {
  struct file file;
  file.descriptor = checked(call6(kOpenAt, kCurrentFolder, (long)path, kReadWrite, 0, 0, 0));
  file.size = checked(call6(kSeek, file.descriptor, 0, kFromEnd, 0, 0, 0));
  file.data = memory(file.size);
  checked(call6(kSeek, file.descriptor, 0, kFromStart, 0, 0, 0));
  for (long done = 0; done < file.size;) {
    done += checked(call6(kRead, file.descriptor, (long)file.data + done, file.size - done, 0, 0, 0));
  }
  return file;
}

static void write_all(const struct file* file) {
  checked(call6(kSeek, file->descriptor, 0, kFromStart, 0, 0, 0));
  for (long done = 0; done < file->size;) {
    done +=
        checked(call6(kWrite, file->descriptor, (long)file->data + done, file->size - done, 0, 0, 0));
  }
}

static long number(const char* text) {
  long value = 0;
  for (; *text != 0; ++text) value = 10 * value + (*text - '0');
  return value;
}

// Two slices, one after the other, as two threads would get them.
static void parallel(const hone_table* table, hone_body body, void* context, int64_t extent) {
  (void)table;
  body(context, 0, extent / 2, 0);
  body(context, extent / 2, extent, 1);
}

__attribute__((used)) static void run(const long* stack) {
  char** const argv = (char**)(stack + 1);
  const long n_buffers = stack[0] - 5;
  struct file files[kMaxBuffers];
  void* buffers[kMaxBuffers];
  const struct file image = read_all(argv[1]);
  __builtin___clear_cache(image.data, image.data + image.size);
  for (long i = 0; i < n_buffers; ++i) {
    files[i] = read_all(argv[5 + i]);
    buffers[i] = files[i].data;
  }
  const hone_table table = {parallel, 0, kThreads};
  const hone_call call = {buffers, memory(number(argv[3]) + kThreads * number(argv[4])), &table};
  ((hone_entry)(image.data + number(argv[2])))(&call);
  for (long i = 0; i < n_buffers; ++i) write_all(&files[i]);
  call6(kExit, 0, 0, 0, 0, 0, 0);
}

__asm__(".globl _start\n_start:\n  mov x0, sp\n  bl run\n");
