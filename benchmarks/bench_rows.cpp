// How many programs a second become the rows of each feature section, from a log's steps.
//   bench_rows LOG [--dags FILE] [--programs N] [--threads T] [--sections NAME,...] [--json FILE]
