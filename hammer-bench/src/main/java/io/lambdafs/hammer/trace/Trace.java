package io.lambdafs.hammer.trace;

import java.io.IOException;

/** A trace that can be read repeatedly. */
public interface Trace {
    /** Opens it at its beginning. */
    TraceReader open() throws IOException;

    /** Describes it for people. */
    String describe();
}
