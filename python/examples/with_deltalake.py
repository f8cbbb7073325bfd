"""
Delta Lake: a table that several write, in its versions. Argument: as of with_pandas.py.

delta-rs has no place for fsspec; it speaks to the same door itself, by hdfs:// in place of lambdafs://.
"""

import sys

import pandas as pd
from deltalake import DeltaTable, write_deltalake

table = sys.argv[1].replace("lambdafs://", "hdfs://", 1) + "/table"

write_deltalake(table, pd.DataFrame({"id": [1, 2], "name": ["one", "two"]}))
write_deltalake(table, pd.DataFrame({"id": [3], "name": ["three"]}), mode="append")
DeltaTable(table).delete("id = 1")

assert sorted(DeltaTable(table).to_pandas()["id"]) == [2, 3]
assert sorted(DeltaTable(table, version=0).to_pandas()["id"]) == [1, 2]
assert [each["operation"] for each in DeltaTable(table).history()] == ["DELETE", "WRITE", "WRITE"]
print("equal")
