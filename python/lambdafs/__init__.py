"""λFS for fsspec: files of ``lambdafs://`` by the client ``hdfs-native``, at a door that speaks HDFS's wire."""

from .filesystem import LambdaFileSystem
from .open_file import LambdaFile

__all__ = ["LambdaFileSystem", "LambdaFile"]
