package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops and continues processes (SIGSTOP, SIGCONT) in the order of calls, through one shell. Thread-safe. */
final class Signals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private @Nullable Process shell;

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
                running = new ProcessBuilder("sh", "-c", "while read signal pid; do kill -$signal $pid 2>&-; done")
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
