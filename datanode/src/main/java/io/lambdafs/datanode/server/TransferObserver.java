package io.lambdafs.datanode.server;

import io.lambdafs.model.ErrorCode;

/** Observes a datanode's work, on the threads that do it. Implementations are thread-safe and fast. */
public interface TransferObserver {
    TransferObserver NONE = new TransferObserver() {
        @Override
        public void wrote(int bytes) {}

        @Override
        public void finished(long nanos) {}

        @Override
        public void read(int bytes, long nanos) {}

        @Override
        public void failed(ErrorCode code) {}
    };

    /** A chunk has been written. */
    void wrote(int bytes);

    /** A block has been made durable, in this time since the request. */
    void finished(long nanos);

    /** A range has been read, in this time since the request. */
    void read(int bytes, long nanos);

    /** A request was answered with a failure. */
    void failed(ErrorCode code);
}
