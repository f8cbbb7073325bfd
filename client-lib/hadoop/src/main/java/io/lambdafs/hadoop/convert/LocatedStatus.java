package io.lambdafs.hadoop.convert;

import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.jspecify.annotations.Nullable;

/** A file status with block locations and the etag. */
@SuppressWarnings("serial") // Serialised by Hadoop's own means.
public final class LocatedStatus extends LocatedFileStatus implements EtagSource {
    private final @Nullable String etag;

    public LocatedStatus(FileStatus status, BlockLocation @Nullable [] locations) {
        super(status, locations);
        this.etag = status instanceof EtagSource source ? source.getEtag() : null;
    }

    @Override
    public @Nullable String getEtag() {
        return etag;
    }

    /** Compared by path only, as Hadoop's own. */
    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
