// The runtime works where there is nothing but libc.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

// Paths of the C library and the loader of this very process.
std::set<std::string> libc_files() {
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    const std::string path = line.substr(slash);
    const std::string name = fs::path(path).filename();
    if (name.starts_with("libc.so") || name.starts_with("ld-linux")) files.insert(path);
  }
  return files;
}

int exit_code_in_chroot(const fs::path& root, const char* program) {
  const pid_t child = fork();
  if (child == 0) {
    if (chroot(root.c_str()) != 0 || chdir("/") != 0) _exit(100);
    execl(program, program, nullptr);
    _exit(101);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(RuntimeAlone, RunsInAChrootWithOnlyLibc) {
  const fs::path program = HONE_RUNTIME_ALONE;
  if (program.empty()) GTEST_SKIP() << "a sanitizer build needs more than libc";
  if (geteuid() != 0) GTEST_SKIP() << "chroot needs root";
  const fs::path root = fs::temp_directory_path() / ("hone_alone_" + std::to_string(getpid()));
  for (const std::string& file : libc_files()) {
    // The loader is looked up under the name the program was linked with, in /lib64 on x86-64.
    for (const fs::path& folder :
         {fs::path(file).parent_path(), fs::path("/lib"), fs::path("/lib64")}) {
      const fs::path to = root / folder.relative_path();
      fs::create_directories(to);
      fs::copy_file(file, to / fs::path(file).filename(), fs::copy_options::skip_existing);
    }
  }
  fs::copy_file(program, root / "program");
  EXPECT_EQ(exit_code_in_chroot(root, "/program"), 0);
  fs::remove_all(root);
}

}  // namespace
