package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Writes a process's memory to an image, and starts copies of the process from it. The process waits on its standard input, which is
 * a pipe as its output is, and has neither sockets nor child processes. {@link Criu} is one; the CRaC of some JDKs could be
 * another. AWS Lambda's SnapStart takes its images itself. Implementations are thread-safe.
 */
public interface SnapshotEngine {
    /** Returns its name and version; images are of use to this version alone. */
    String name();

    /**
     * Takes a process's image and ends the process.
     *
     * @param image an empty directory
     */
    void take(Process process, Path image) throws IOException, InterruptedException;

    /**
     * Starts a copy. Copies may run beside each other.
     *
     * @param output receives what it prints
     */
    Restored restore(Path image, Path output) throws IOException;

    /**
     * A copy.
     *
     * @param holder ends when the copy does, and the copy with it; its standard input is the copy's
     * @param self the copy itself, once it has read from its standard input
     */
    record Restored(Process holder, Supplier<ProcessHandle> self) {}
}
