package io.lambdafs.benchmarks.micro.driver;

import java.io.IOException;

/** An interface of the file system under test. Used by one thread. */
interface Api<P> extends AutoCloseable {
    /** Told when the span begins and when it ends, by the thread that called. */
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

    /** @param text absolute */
    P path(String text);

    /**
     * Does calls until the span is over or the workload has no more, and waits for the last.
     *
     * @param lanes how many calls are under way at once
     */
    Outcome run(Workload<P> workload, int lanes, Span span, Bounds bounds) throws InterruptedException;

    @Override
    void close() throws IOException;
}
