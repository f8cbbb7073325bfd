"""DuckDB: SQL on files, and its answer written as another. Argument: as of with_pandas.py."""

import sys

import duckdb
import fsspec

where = sys.argv[1]
database = duckdb.connect()
database.register_filesystem(fsspec.core.url_to_fs(where)[0])

database.sql(f"COPY (SELECT i, i % 7 AS week FROM range(10000) t(i)) TO '{where}/numbers.parquet' (FORMAT parquet)")
database.sql(
    f"COPY (SELECT week, sum(i) AS total FROM '{where}/numbers.parquet' GROUP BY week ORDER BY week)"
    f" TO '{where}/totals.csv' (FORMAT csv, HEADER)"
)

found = database.sql(f"SELECT total FROM read_csv('{where}/totals.csv') ORDER BY week").fetchall()
assert [total for (total,) in found] == [sum(range(week, 10_000, 7)) for week in range(7)]
print("equal")
