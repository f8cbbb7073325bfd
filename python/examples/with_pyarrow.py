"""PyArrow: a data set in partitions, of which a query reads those that it needs. Argument: as of with_pandas.py."""

import sys

import fsspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

fs, where = fsspec.core.url_to_fs(sys.argv[1])
days = [f"2026-11-{day:02}" for day in range(1, 31)]
table = pa.table({"day": [each for each in days for _ in range(1_000)], "value": list(range(30_000))})

pq.write_to_dataset(table, f"{where}/days", filesystem=fs, partition_cols=["day"])

found = ds.dataset(f"{where}/days", filesystem=fs, partitioning="hive")
assert found.count_rows() == 30_000
one = found.to_table(columns=["value"], filter=pc.field("day") == "2026-11-30")
assert sorted(one["value"].to_pylist()) == list(range(29_000, 30_000))
print("equal")
