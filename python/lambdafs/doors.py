"""Finds the door of a file system: by its address, by Hadoop's configuration, or by the cluster's directory."""

import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

NAME = "lambdafs"
"""The name that the doors of a cluster have together (``./lambdafs hadoop --site --door``)."""


def configuration_directory():
    """Returns where Hadoop's configuration is, or nothing."""
    if os.environ.get("HADOOP_CONF_DIR"):
        return Path(os.environ["HADOOP_CONF_DIR"])
    if os.environ.get("HADOOP_HOME"):
        return Path(os.environ["HADOOP_HOME"], "etc", "hadoop")
    return None


def configured(directory):
    """Returns the properties of a directory's core-site.xml and hdfs-site.xml."""
    properties = {}
    for name in ("core-site.xml", "hdfs-site.xml"):
        file = Path(directory, name)
        if file.is_file():
            for each in ElementTree.parse(file).getroot().iter("property"):
                properties[each.findtext("name", "").strip()] = each.findtext("value", "").strip()
    return properties


def door(host, port, config_dir=None):
    """Returns the URL of the door, as HDFS's clients write it."""
    if host:
        return f"hdfs://{host}:{port}" if port else f"hdfs://{host}"
    directory = config_dir or configuration_directory()
    if directory:
        properties = configured(directory)
        default = properties.get("fs.defaultFS", "")
        if default.startswith("hdfs://"):
            return default
        if NAME in properties.get("dfs.nameservices", "").split(","):
            return f"hdfs://{NAME}"
    cluster = Path(os.environ.get("LAMBDAFS_DIR") or Path.home() / ".lambdafs" / "default")
    file = cluster / "run" / "hdfs.port"
    if file.is_file():
        return f"hdfs://127.0.0.1:{file.read_text().split()[0]}"
    raise ValueError(
        "no door is named: give host and port, a core-site.xml (HADOOP_CONF_DIR) with an fs.defaultFS of hdfs://,"
        f" or start one in {cluster}: ./lambdafs cluster start --doors hdfs"
    )
