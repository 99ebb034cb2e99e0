#include "record/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "base/error.h"

namespace hone::record {
namespace {

constexpr int kBusyMs = 5000;  // a reader may hold the file for a moment
constexpr std::chrono::milliseconds kAskAgain(5);

[[noreturn]] void fail(sqlite3* database) {
  const char* path = sqlite3_db_filename(database, "main");
  throw UserError(fmt::format("{}: {}", path == nullptr ? "database" : path, sqlite3_errmsg(database)),
                  "it can be deleted: whatever it holds is made again");
}

}  // namespace

void Sqlite::Close::operator()(sqlite3* database) const { sqlite3_close(database); }
void Sqlite::Statement::Finalise::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Sqlite::Sqlite(const std::string& path) {
  sqlite3* opened = nullptr;
  const int result = sqlite3_open(path.c_str(), &opened);
  handle_.reset(opened);
  if (result != SQLITE_OK) record::fail(opened);
  sqlite3_busy_timeout(opened, kBusyMs);
}

void Sqlite::execute(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    record::fail(handle_.get());
}

void Sqlite::write_ahead() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyMs);
  for (;;) {
    const int result =
        sqlite3_exec(handle_.get(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if (result == SQLITE_OK) break;
    if (result != SQLITE_BUSY || std::chrono::steady_clock::now() > until) record::fail(handle_.get());
    std::this_thread::sleep_for(kAskAgain);
  }
  execute("PRAGMA synchronous = NORMAL");
}

std::int64_t Sqlite::last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

std::string Sqlite::Row::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return text == nullptr ? "" : std::string(text, text + size);
}

Sqlite::Statement::Statement(sqlite3* database, const char* sql) : database_(database) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &prepared, nullptr) != SQLITE_OK) fail();
  handle_.reset(prepared);
}

void Sqlite::Statement::fail() const { record::fail(database_); }

Sqlite::Statement& Sqlite::Statement::set(int place, std::string_view text) {
  const auto size = static_cast<int>(text.size());
  if (sqlite3_bind_text(handle_.get(), place, text.data(), size, SQLITE_TRANSIENT) != SQLITE_OK) fail();
  return *this;
}

Sqlite::Statement& Sqlite::Statement::set(int place, double number) {
  const int result = std::isfinite(number) ? sqlite3_bind_double(handle_.get(), place, number)
                                           : sqlite3_bind_null(handle_.get(), place);
  if (result != SQLITE_OK) fail();
  return *this;
}

Sqlite::Statement& Sqlite::Statement::set_integer(int place, std::int64_t number) {
  if (sqlite3_bind_int64(handle_.get(), place, number) != SQLITE_OK) fail();
  return *this;
}

void Sqlite::Statement::run() {
  if (sqlite3_step(handle_.get()) != SQLITE_DONE) fail();
  sqlite3_reset(handle_.get());
}

std::int64_t Sqlite::Statement::value() {
  const int result = sqlite3_step(handle_.get());
  if (result != SQLITE_ROW && result != SQLITE_DONE) fail();
  const std::int64_t number = result == SQLITE_ROW ? sqlite3_column_int64(handle_.get(), 0) : -1;
  sqlite3_reset(handle_.get());
  return number;
}

void Sqlite::Statement::each(const std::function<void(const Row& row)>& visit) {
  int result = sqlite3_step(handle_.get());
  for (; result == SQLITE_ROW; result = sqlite3_step(handle_.get())) visit(Row(handle_.get()));
  if (result != SQLITE_DONE) fail();
  sqlite3_reset(handle_.get());
}

}  // namespace hone::record
