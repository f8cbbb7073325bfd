package io.lambdafs.systemtests.hdfs;

import io.lambdafs.model.ErrorCode;
import java.util.List;

/** Faults that a block store can be made to have. */
interface BlockFaults extends AutoCloseable {
    /** Answers the next calls with a failure. */
    void refuse(int calls, ErrorCode code);

    int refusalsLeft();

    /** Changes a bit of whatever is read, at that place of its object; -1 for none. */
    void flip(long position);

    List<String> keys();

    void lose(String key);

    @Override
    void close();
}
