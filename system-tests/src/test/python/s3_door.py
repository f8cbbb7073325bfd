"""Runs awscli and boto3 at an S3 door: s3_door.py ADDRESS FOLDER. The keys are those of the environment."""

import os
import subprocess
import sys
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

ADDRESS, FOLDER = sys.argv[1], sys.argv[2]
AWS = [os.path.join(os.path.dirname(sys.executable), "aws"), "--endpoint-url", ADDRESS, "--region", "eu-north-1"]


def aws(*words):
    run = subprocess.run(AWS + list(words), capture_output=True, text=True)
    assert run.returncode == 0, f"aws {' '.join(words)}: {run.stdout}{run.stderr}"
    return run.stdout


def refused(code, call, **words):
    try:
        call(**words)
    except ClientError as e:
        assert e.response["Error"]["Code"] == code, e
    else:
        raise AssertionError(f"{code} was expected")


def awscli():
    large, back = os.path.join(FOLDER, "large"), os.path.join(FOLDER, "back")
    with open(large, "wb") as out:
        out.write(os.urandom(20_000_003))
    tree = os.path.join(FOLDER, "tree")
    for name in ("a", "dir/b c", "dir/\u00e9"):
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        with open(os.path.join(tree, name), "w") as out:
            out.write(name)
    aws("s3", "mb", "s3://cli")
    aws("s3", "cp", large, "s3://cli/in/large")
    aws("s3", "cp", "s3://cli/in/large", back)
    with open(large, "rb") as one, open(back, "rb") as other:
        assert one.read() == other.read()
    aws("s3", "cp", "s3://cli/in/large", "s3://cli/copied/large")
    aws("s3", "sync", tree, "s3://cli/tree")
    assert aws("s3", "sync", tree, "s3://cli/tree") == "", "nothing is to be done again"
    listed = aws("s3", "ls", "--recursive", "s3://cli")
    assert [line.split(maxsplit=3)[3] for line in listed.splitlines()] == [
        "copied/large", "in/large", "tree/a", "tree/dir/b c", "tree/dir/\u00e9"], listed
    assert "PRE tree/" in aws("s3", "ls", "s3://cli")
    aws("s3", "rm", "--recursive", "s3://cli")
    aws("s3", "rb", "s3://cli")


def boto():
    s3 = boto3.client("s3", endpoint_url=ADDRESS, region_name="eu-north-1", config=Config(retries={"total_max_attempts": 1}))
    s3.create_bucket(Bucket="boto")
    s3.put_object(Bucket="boto", Key="k", Body=b"one", IfNoneMatch="*", Metadata={"m": "v"})
    refused("PreconditionFailed", s3.put_object, Bucket="boto", Key="k", Body=b"two", IfNoneMatch="*")
    found = s3.head_object(Bucket="boto", Key="k")
    assert found["Metadata"] == {"m": "v"}
    etag = found["ETag"]
    s3.put_object(Bucket="boto", Key="k", Body=b"two", IfMatch=etag)
    refused("PreconditionFailed", s3.put_object, Bucket="boto", Key="k", Body=b"three", IfMatch=etag)
    for algorithm in ("CRC32", "SHA1", "SHA256"):
        s3.put_object(Bucket="boto", Key="sum", Body=b"x" * 100_000, ChecksumAlgorithm=algorithm)
    url = s3.generate_presigned_url("get_object", Params={"Bucket": "boto", "Key": "k"}, ExpiresIn=60)
    assert urllib.request.urlopen(url).read() == b"two"
    s3.put_object_tagging(Bucket="boto", Key="k", Tagging={"TagSet": [{"Key": "a", "Value": "b"}]})
    assert s3.get_object_tagging(Bucket="boto", Key="k")["TagSet"] == [{"Key": "a", "Value": "b"}]
    refused("NoSuchKey", s3.get_object, Bucket="boto", Key="none")
    refused("InvalidArgument", s3.put_object, Bucket="boto", Key="a//b")
    answer = s3.delete_objects(Bucket="boto", Delete={"Objects": [{"Key": "k"}, {"Key": "sum"}]})
    assert len(answer["Deleted"]) == 2
    s3.delete_bucket(Bucket="boto")


awscli()
boto()
print("equal")
