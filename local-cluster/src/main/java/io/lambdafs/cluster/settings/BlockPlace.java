package io.lambdafs.cluster.settings;

/**
 * The location of a block store.
 *
 * @param store the name of the block store in the metadata
 * @param place a directory, or {@code s3://BUCKET/PREFIX}; empty for {@code blocks/} in the cluster's directory
 */
public record BlockPlace(String store, String place) {
    /** Returns whether it is in an object store. */
    public boolean isRemote() {
        return place.contains(BlockSettings.REMOTE);
    }

    public String in(ClusterDirectory directory) {
        return place.isEmpty() ? directory.data("blocks").toString() : place;
    }
}
