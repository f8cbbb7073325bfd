package io.lambdafs.rpc.kryonet;

import com.esotericsoftware.minlog.Log;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Redirects KryoNet's log, which it would print, to this process's log. Stateless. */
final class KryoLog extends Log.Logger {
    private static final Logger LOG = LoggerFactory.getLogger("com.esotericsoftware.kryonet");

    private KryoLog() {}

    static void install() {
        Log.set(Log.LEVEL_WARN);
        Log.setLogger(new KryoLog());
    }

    @Override
    public void log(int level, @Nullable String category, String message, @Nullable Throwable thrown) {
        LOG.warn("{}{}", message, thrown == null ? "" : ": " + reason(thrown));
    }

    /** Returns a message with its cause, because KryoNet wraps exceptions. */
    static String reason(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return cause == null ? String.valueOf(thrown.getMessage()) : thrown.getMessage() + " " + cause.getMessage();
    }
}
