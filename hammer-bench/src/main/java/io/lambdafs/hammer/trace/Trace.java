package io.lambdafs.hammer.trace;

import java.io.IOException;

/** A trace that can be read again and again. */
public interface Trace {
    /** Opens it at its beginning. */
    TraceReader open() throws IOException;

    /** Says what it is, for people. */
    String describe();
}
