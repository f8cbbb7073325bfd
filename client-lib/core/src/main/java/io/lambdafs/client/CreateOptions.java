package io.lambdafs.client;

/**
 * Options for creating a file. Immutable.
 *
 * @param mode permission bits with the caller's umask applied
 * @param unmasked the bits without the umask, used instead in a directory with a default ACL
 * @param overwrite whether an existing file is replaced
 * @param createParents whether missing ancestors are created
 * @param replication 1–512
 * @param blockSize bytes
 */
public record CreateOptions(
        int mode, int unmasked, boolean overwrite, boolean createParents, int replication, long blockSize) {
    /** Mode 0644, no overwriting, ancestors created, replication 3, blocks of 128 MiB. */
    public static final CreateOptions DEFAULT = new CreateOptions(0644, false, true, 3, 128L << 20);

    /** Options without a umask. */
    public CreateOptions(int mode, boolean overwrite, boolean createParents, int replication, long blockSize) {
        this(mode, mode, overwrite, createParents, replication, blockSize);
    }

    public CreateOptions withMode(int bits) {
        return new CreateOptions(bits, overwrite, createParents, replication, blockSize);
    }

    public CreateOptions withOverwrite(boolean replace) {
        return new CreateOptions(mode, unmasked, replace, createParents, replication, blockSize);
    }

    public CreateOptions withCreateParents(boolean parents) {
        return new CreateOptions(mode, unmasked, overwrite, parents, replication, blockSize);
    }

    public CreateOptions withReplication(int replicas) {
        return new CreateOptions(mode, unmasked, overwrite, createParents, replicas, blockSize);
    }

    public CreateOptions withBlockSize(long bytes) {
        return new CreateOptions(mode, unmasked, overwrite, createParents, replication, bytes);
    }
}
