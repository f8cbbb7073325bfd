package io.lambdafs.door.hdfs;

import java.net.InetSocketAddress;

/** A running door. */
public interface Door extends AutoCloseable {
    /** Returns the address of its calls. */
    InetSocketAddress address();

    @Override
    void close();
}
