package io.lambdafs.store.ndb;

/**
 * Where the rows are. Immutable.
 *
 * @param connect NDB's management servers, {@code HOST:PORT[,HOST:PORT…]}
 * @param cluster the id of the cluster whose tables these are
 * @param readers threads that read, 1–64, each with a connection object of its own
 * @param ack what an answer means
 * @param diskMb size of the tablespace that is made on each data node's disk for the contents of small files, if there is none; 0 to keep
 *     them in memory. Counts when the tables are made
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
