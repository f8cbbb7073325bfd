package io.lambdafs.benchmarks.micro.driver;

import java.io.IOException;

/** An interface of the file system under test. Used by one thread. */
interface Api<P> extends AutoCloseable {
    /** Notified of the span's start and end, on the calling thread. */
    interface Bounds {
        void begin();

        void end();

        Bounds UNNOTICED = new Bounds() {
            @Override
            public void begin() {}

            @Override
            public void end() {}
        };
    }

    /** @param text an absolute path */
    P path(String text);

    /**
     * Makes calls until the span or the workload ends, and waits for the last.
     *
     * @param lanes calls in flight
     */
    Outcome run(Workload<P> workload, int lanes, Span span, Bounds bounds) throws InterruptedException;

    @Override
    void close() throws IOException;
}
