package io.lambdafs.client.block;

import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Transport;

/** Writes and reads blocks at datanodes, over connections that it keeps. Thread-safe. */
public final class DatanodeTransfer implements BlockTransfer {
    private final Datanodes datanodes;

    /** @param transport to datanodes, by Netty; its codec knows the messages about blocks. The caller closes it after this */
    public DatanodeTransfer(Transport transport, Scheduler scheduler) {
        datanodes = new Datanodes(transport, scheduler);
    }

    /** Datanodes take bytes as they arrive, and need no copy. */
    @Override
    public BlockWriter write(LocatedBlock target, BlockCopy copy) {
        return write(target);
    }

    /** Begins to write a block. */
    public BlockWriter write(LocatedBlock target) {
        return new DatanodeWriter(datanodes, target);
    }

    @Override
    public BlockReader read(LocatedBlock source) {
        return new DatanodeReader(datanodes, source);
    }

    @Override
    public void close() {
        datanodes.close();
    }
}
