package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What one worker had to do, and did. Immutable.
 *
 * @param worker its name
 * @param process its address and process id
 * @param clockMicros how much its clock was ahead of the master's, microseconds
 * @param clockErrorMicros how far that may be wrong: half of the fastest exchange
 * @param meant operations of its share
 * @param done operations answered, as far as it has reported
 * @param failed of these
 * @param lost why and when it was lost; null for one that came to its end
 */
public record Share(
        String worker,
        String process,
        long clockMicros,
        long clockErrorMicros,
        long meant,
        long done,
        long failed,
        @Nullable String lost) {
    /** In one line. */
    public String line() {
        String did = lost == null
                ? String.format(Locale.ROOT, "%,d of %,d operations done, %,d failed", done, meant, failed)
                : String.format(
                        Locale.ROOT,
                        "LOST %s: %,d of %,d operations done; the other %,d of its share are not in the figures",
                        lost,
                        done,
                        meant,
                        meant - done);
        return String.format(
                Locale.ROOT,
                "%s (%s, clock %+.3f ms ± %.3f): %s",
                worker,
                process,
                clockMicros / 1e3,
                clockErrorMicros / 1e3,
                did);
    }

    void write(ObjectNode json) {
        json.put("worker", worker).put("process", process);
        json.put("clockMicros", clockMicros).put("clockErrorMicros", clockErrorMicros);
        json.put("meant", meant).put("done", done).put("failed", failed).put("lost", lost);
    }
}
