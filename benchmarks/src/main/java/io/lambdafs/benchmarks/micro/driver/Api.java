package io.lambdafs.benchmarks.micro.driver;

import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.ClosedLoop;
import java.io.IOException;

/** An interface of the file system under test. Used by one thread. */
interface Api<P> extends AutoCloseable {
    /** @param text an absolute path */
    P path(String text);

    /** Returns the loop that makes these calls. */
    ClosedLoop<Step<P>> loop(Calls<Step<P>> workload);

    @Override
    void close() throws IOException;
}
