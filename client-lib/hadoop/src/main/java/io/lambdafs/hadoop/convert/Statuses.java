package io.lambdafs.hadoop.convert;

import io.lambdafs.model.inode.Attributes;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** Converts attributes to Hadoop's file status. Stateless. */
public final class Statuses {
    public FileStatus of(Attributes attributes, Path qualified) {
        return new LambdaFileStatus(attributes, qualified);
    }
}
