// As much of SQLite as hone needs, owned and checked. SQLite stays behind this file.
#pragma once
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace hone::record {

// What goes wrong throws UserError: a full disk, a file that is no database.
class Sqlite {
 public:
  explicit Sqlite(const std::string& path);  // created when there is none

  // A row that a query gives; its columns count from 0.
  class Row {
   public:
    std::string text(int column) const;

   private:
    friend class Sqlite;
    explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
    sqlite3_stmt* statement_;
  };

  // A statement that is used again and again: `set` its places from 1 on, then `run` it.
  class Statement {
   public:
    Statement& set(int place, std::string_view text);
    Statement& set(int place, double number);  // NULL when it is not finite
    Statement& set(int place, std::integral auto number) {
      return set_integer(place, static_cast<std::int64_t>(number));
    }
    void run();
    std::int64_t value();  // runs a query of one number; -1 when nothing comes
    void each(const std::function<void(const Row& row)>& visit);  // runs a query, a call a row

   private:
    friend class Sqlite;
    Statement(sqlite3* database, const char* sql);
    Statement& set_integer(int place, std::int64_t number);
    [[noreturn]] void fail() const;

    struct Finalise {
      void operator()(sqlite3_stmt* statement) const;
    };
    sqlite3* database_;
    std::unique_ptr<sqlite3_stmt, Finalise> handle_;
  };

  Statement prepare(const char* sql) const { return {handle_.get(), sql}; }
  void execute(const char* sql);  // any number of statements
  // Readers and a writer do not wait for each other from now on. A file that others open for the first
  // time just now may be busy, and there SQLite does not wait by itself.
  void write_ahead();
  std::int64_t last_id() const;  // of the row inserted last

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace hone::record
