package io.lambdafs.store.ndb;

/**
 * The NDB that holds the rows. Immutable.
 *
 * @param connect NDB's management servers, {@code HOST:PORT[,HOST:PORT…]}
 * @param cluster the id of the cluster that the tables belong to
 * @param readers the number of threads that read, 1–64, each with its own connection object
 * @param ack the guarantee that an answer gives
 * @param diskMb the size of the tablespace created on each data node's disk for the contents of small files, if there
 *     is none; 0 to keep them in memory. Takes effect when the tables are created
 */
public record NdbSettings(String connect, String cluster, int readers, NdbAck ack, int diskMb) {
    private static final int MOST_READERS = 64;
    private static final int LEAST_DISK_MB = 16;
    private static final int MOST_CLUSTER_CHARS = 200;

    public NdbSettings {
        if (!connect.matches("[^\\s,:/]+:[0-9]{1,5}(,[^\\s,:/]+:[0-9]{1,5})*")) {
            throw new IllegalArgumentException("connect is HOST:PORT[,HOST:PORT…], not \"" + connect + "\"");
        }
        if (cluster.isEmpty() || cluster.length() > MOST_CLUSTER_CHARS) {
            throw new IllegalArgumentException("cluster has 1.." + MOST_CLUSTER_CHARS + " characters");
        }
        if (diskMb != 0 && diskMb < LEAST_DISK_MB) {
            throw new IllegalArgumentException("diskMb is 0, or at least " + LEAST_DISK_MB + ", not " + diskMb);
        }
        if (readers < 1 || readers > MOST_READERS) {
            throw new IllegalArgumentException("readers is 1.." + MOST_READERS + ", not " + readers);
        }
    }
}
