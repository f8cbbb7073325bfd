package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops and continues processes (SIGSTOP, SIGCONT), and raises their priority, in the order of calls, through one
 * shell. Thread-safe.
 */
final class Signals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    /** Threads that are started meanwhile inherit the priority, hence twice. */
    private static final String LOOP = """
        while read what pid; do
            case $what in
                NICE) for again in 1 2; do renice -n 0 -p $(ls /proc/$pid/task); done ;;
                *) kill -$what $pid ;;
            esac >/dev/null 2>&1
        done\
        """;
    /** The command prefix of a process at idle priority. */
    static final List<String> IDLY = List.of("nice", "-n", "19");

    private static final int CAP_SYS_NICE = 23;

    private @Nullable Process shell;

    /** Returns whether this process may raise a lowered priority again. */
    static boolean mayRaise() {
        return Capabilities.have(CAP_SYS_NICE);
    }

    /** Gives every thread of a process the usual priority. */
    void raise(long pid) {
        send("NICE", pid);
    }

    void stop(long pid) {
        send("STOP", pid);
    }

    void goOn(long pid) {
        send("CONT", pid);
    }

    private synchronized void send(String signal, long pid) {
        try {
            Process running = shell;
            if (running == null || !running.isAlive()) {
                running = new ProcessBuilder("sh", "-c", LOOP)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                shell = running;
            }
            OutputStream commands = running.getOutputStream();
            commands.write((signal + " " + pid + "\n").getBytes(StandardCharsets.US_ASCII));
            commands.flush();
        } catch (IOException e) {
            LOG.warn("Cannot send SIG{} to process {}: {}", signal, pid, e.getMessage());
        }
    }

    /** The shell ends with its input. */
    @Override
    public synchronized void close() {
        Process running = shell;
        if (running != null) {
            try {
                running.getOutputStream().close();
            } catch (IOException e) {
                running.destroy();
            }
        }
    }
}
