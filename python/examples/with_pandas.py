"""pandas: frames as Parquet and CSV, by address. Argument: a directory, such as lambdafs://127.0.0.1:8020/examples."""

import sys

import pandas as pd

where = sys.argv[1]
words = pd.DataFrame({"word": ["alpha", "beta", "gamma"], "count": [3, 1, 2]})

words.to_parquet(f"{where}/words.parquet")
words.to_csv(f"{where}/words.csv", index=False)

assert pd.read_parquet(f"{where}/words.parquet").equals(words)
assert pd.read_csv(f"{where}/words.csv").equals(words)
assert list(pd.read_parquet(f"{where}/words.parquet", columns=["count"])["count"]) == [3, 1, 2]
print("equal")
