package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The share of one worker, and its result. Immutable.
 *
 * @param worker its name
 * @param process its address and process id
 * @param clockMicros lead of its clock over the master's, microseconds
 * @param clockErrorMicros maximum error of that lead: half of the fastest exchange
 * @param meant operations of its share
 * @param done operations answered, as far as it has reported
 * @param failed failed operations among them
 * @param lost why and when it was lost; null if it reached its end
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
    /** Describes the share in one line. */
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
