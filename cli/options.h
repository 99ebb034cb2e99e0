// What the user asked for: one struct a command, filled from the command line.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tune/collect_options.h"
#include "tune/network_options.h"
#include "tune/options.h"

namespace hone::cli {

// A computation and, where given, the schedule it is to have.
struct Input {
  std::string op;      // catalogue text
  std::string file;    // a task as DAG text; exactly one of op and file is set
  std::string record;  // FILE[:LINE]; empty for the schedule hone chooses by itself
};

// What a model's file leaves open.
struct ModelInput {
  std::vector<std::string> shapes;  // NAME=1x3x224x224
  std::vector<std::string> binds;   // NAME=FILE
};

struct Inspect {
  Input input;  // its file may also be a model, a log of records, a data set or a scorer
  ModelInput model;
  std::string source;  // empty: the DAG, or the state when a record is given; of a model its summary
  std::string output;  // where to write the model; empty: nowhere
  bool operators = false, tasks = false;
  std::string target = "host";
  bool json = false;
};

struct BenchTiming {
  int warmup = 1;  // runs of each artefact that are not timed
  int runs = 0;    // 0: as many as fit into the time, but not few
  double min_time_s = 3;
  bool profile = false;
};

struct Bench {
  Input input;
  std::vector<std::string> artefacts;  // instead of the input
  BenchTiming timing;                  // of artefacts
  std::string base;                    // an earlier result to compare with; empty: none
  std::optional<double> fail_over;     // being slower than it by more than this share is a failure
  std::vector<std::string> exports;    // files to write the results to
  int threads = 0;                     // 0: one a core
  bool json = false;
};

struct Compile {
  std::string model;  // FILE.onnx or builtin:NAME
  ModelInput input;
  std::string output;                // empty: the model's name
  int threads = 0;                   // 0: one a core
  std::vector<std::string> records;  // logs, or folders of runs
  std::vector<std::string> forms;    // of hone, c and so; empty: hone
  bool no_store = false;             // neither is it used when records are given
  bool exact = false;                // no algorithm that rounds otherwise than the definition
  bool separate_attention = false;   // three tasks instead of one
  bool require_tuned = false, portable = false, json = false;
};

struct Run {
  std::string artefact;
  std::string input, output;  // files of tensors; empty: random inputs, outputs are not kept
  std::string reference;      // a model to check against; empty: none
  ModelInput model;           // of the reference
  double tolerance = 1e-4;
  int top = 0;      // elements to show; 0: none
  int threads = 0;  // 0: one a core
  bool json = false;
};

struct Tune {
  tune::Options run;   // its op is empty when models are given
  std::string output;  // of an operator the folder of the run, of a model the artefact
  std::string plot;    // a file for the picture; empty: none
  std::string effort = "normal";
  // Of models.
  std::vector<std::string> models;
  ModelInput input;
  tune::NetworkOptions network;
  std::string tasks;                // 3,7-9; empty: all
  bool separate_attention = false;  // three tasks instead of one
  bool no_store = false;
  std::string note;  // why the scorer that comes with hone is not used; mostly empty
  bool dry_run = false, json = false, verbose = false, quiet = false;
};

// `hone dataset VERB`.
struct Dataset {
  std::string verb;                 // import, export, ...
  std::vector<std::string> inputs;  // logs for import, a run for index, sets for all others
  std::string output;
  bool json = false, verbose = false;
  int threads = 0;  // 0: one a core

  std::string machine, dags, networks;  // of import
  bool one_machine = false;
  std::string features;            // of export: the one to write
  std::vector<std::string> add;    // of features
  std::vector<std::string> crops;  // of stats: 25x22
  std::string by = "task";         // of split
  std::string hold_out;            // names between commas
  double share = 0.1;
  int tasks = 0, per_task = 0;  // of sample; 0: all
  std::uint64_t seed = 1;
};

struct Train {
  std::vector<std::string> sets;
  std::string output;
  std::string kind;                   // empty: hone's own
  std::string networks;               // trained before, for trees to join; empty: none
  std::vector<std::string> settings;  // NAME=VALUE
  std::string fold;                   // K/N; empty: nothing is left out
  std::string fold_by = "structure";  // or task
  std::string target;                 // the machine that is learned for; empty: none
  std::string target_labels;          // how many of its programs were measured; empty: all
  std::string target_programs;        // a file that names them; empty: chosen at random
  std::string from;                   // a scorer to start from; empty: none
  std::string device = "auto";
  int threads = 0;  // 0: one a core
  bool resume = false, fresh = false, list_options = false, json = false;
};

struct Collect {
  std::vector<std::string> models;  // whose tasks are sampled,
  std::vector<std::string> ops;     // and these
  ModelInput input;                 // of the models
  std::string programs;             // a data set to measure the programs of, instead
  std::string target = "host", machine;
  std::string output;
  tune::CollectOptions run;
  bool quiet = false, json = false;
};

struct Transfer {
  std::string from;  // a scorer
  Collect collect;   // what is measured and how; without models, operators or a set it is chosen
  int labels = 500;  // programs to measure
  std::string choose = "active", output = "host.scorer";
};

struct Eval {
  std::string set;
  std::vector<std::string> scorers;  // [NAME=]random, analytic or a file
  std::vector<std::string> scores;   // NAME=FILE.npy
  std::vector<int> ks = {1, 5, 10, 20};
  std::vector<std::string> hold_out;  // networks whose tasks are the test split
  std::string split;                  // or the training set, which holds all other tasks
  bool final_split = false;           // judge on the test split
  std::string log;                    // of its openings; empty: none
  std::vector<std::string> formats;   // of json, csv, md, svg and npz
  std::string prefix = "eval";        // of the files written
  bool scatter = false, partial = false, search = false, json = false;
};

struct Explain {
  std::string record;  // a log, FILE:LINE, the folder of a run, SET:PROGRAM, or - for stdin
  std::string scorer;
  std::int64_t line = 0;  // of the log; 0: the fastest
  bool best = false;
  std::string set;              // what the scorer was trained on; empty: not at hand
  std::string op, model, dags;  // what the task computes, where nothing else says it
  ModelInput input;             // of the model
  int top = 8;                  // rows of a table
  int threads = 0;              // 0: one a core
  bool json = false;
};

struct ShowTarget {
  std::string target = "host";
  bool json = false;
};

struct Doctor {
  bool json = false;
};

// Nothing to do but to print, for --help and --version.
struct Say {
  std::string text;
};

using Command = std::variant<Inspect, Bench, Compile, Run, Tune, Dataset, Train, Collect, Transfer,
                             Eval, Explain, ShowTarget, Doctor, Say>;

// Throws UserError on wrong use, naming the nearest right option or command.
Command parse_command(int argc, const char* const* argv);

}  // namespace hone::cli
