package io.lambdafs.model.block;

/**
 * The address of a datanode. Immutable.
 *
 * @param id unique among the datanodes of a cluster; kept across restarts
 */
public record DatanodeAddress(String id, String host, int port) {
    public DatanodeAddress {
        if (id.isEmpty() || host.isEmpty() || port < 1 || port > 65_535) {
            throw new IllegalArgumentException("not a datanode's address: " + id + " at " + host + ":" + port);
        }
    }

    @Override
    public String toString() {
        return id + " at " + host + ":" + port;
    }
}
