package io.lambdafs.cluster.terminal;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A command's output: results to standard output; progress and problems to standard error. On a terminal progress is
 * one line, rewritten and truncated to the terminal's width; otherwise plain lines, at most one every {@value
 * #PLAIN_SECONDS} s. Thread-safe.
 */
public final class Console {
    static final int PLAIN_SECONDS = 5;
    /** Set by the launcher: whether standard error is a terminal, and how wide. */
    private static final String TERMINAL_PROPERTY = "lambdafs.terminal";

    private static final int DEFAULT_COLUMNS = 80;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream out;
    private final PrintStream err;
    private final int columns;
    private boolean progressShown;
    private long lastPlainNanos;
    private boolean plainBefore;
    private boolean muted;

    /** @param columns width of the terminal; 0 if standard error is not one */
    public Console(PrintStream out, PrintStream err, int columns) {
        this.out = out;
        this.err = err;
        this.columns = columns;
    }

    /** Returns the console of this process. */
    public static Console ofProcess() {
        String told = System.getProperty(TERMINAL_PROPERTY, "");
        int columns = 0;
        if (told.matches("[0-9]{1,4}")) {
            columns = Integer.parseInt(told);
            columns = columns == 0 ? DEFAULT_COLUMNS : columns;
        }
        return new Console(
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8),
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.err), true, StandardCharsets.UTF_8),
                columns);
    }

    public PrintStream out() {
        return out;
    }

    public PrintStream err() {
        return err;
    }

    public boolean isTerminal() {
        return columns > 0;
    }

    /** Prints a result. */
    public synchronized void print(String text) {
        endProgress();
        if (!muted) {
            out.println(text);
        }
    }

    /** Prints an event or a problem. */
    public synchronized void say(String line) {
        endProgress();
        if (!muted) {
            err.println(line);
        }
    }

    /** Shows progress; may be dropped. */
    public synchronized void progress(String line) {
        if (muted) {
            return;
        }
        if (columns > 0) {
            err.print(CLEAR_LINE + (line.length() < columns ? line : line.substring(0, columns - 1)));
            err.flush();
            progressShown = true;
            return;
        }
        long now = System.nanoTime();
        if (!plainBefore || now - lastPlainNanos >= PLAIN_SECONDS * 1_000_000_000L) {
            plainBefore = true;
            lastPlainNanos = now;
            err.println(line);
        }
    }

    /** Suppresses all further output. */
    public synchronized void mute() {
        muted = true;
    }

    /** Ends the progress line to make room for other output. */
    public synchronized void endProgress() {
        if (progressShown) {
            err.print(CLEAR_LINE);
            err.flush();
            progressShown = false;
        }
    }
}
