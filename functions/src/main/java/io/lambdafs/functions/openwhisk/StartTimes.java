package io.lambdafs.functions.openwhisk;

import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Records the wall-clock time at which this process reached each step of its start. Each step counts once. Thread-safe.
 */
public final class StartTimes {
    /** The steps in order, except that an instance may join before the reply to {@code /init} is sent. */
    public enum Step {
        /** The main method was called. */
        MAIN,
        /** Ready for {@code /init}. */
        LISTENING,
        /** {@code /init} is answered. */
        INITIALISED,
        /** Joined the membership for the first time. */
        JOINED
    }

    private final InstantSource clock;
    private final Map<Step, Long> micros = new EnumMap<>(Step.class);

    public StartTimes(InstantSource clock) {
        this.clock = clock;
    }

    /** Records the time, unless the step was reached before. */
    public synchronized void reached(Step step) {
        Instant now = clock.instant();
        micros.putIfAbsent(step, now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000);
    }

    /** Returns the steps reached, each in microseconds since 1970, as a JSON object. */
    public synchronized String json() {
        StringBuilder json = new StringBuilder("{");
        for (Map.Entry<Step, Long> each : micros.entrySet()) {
            json.append(json.length() > 1 ? ",\"" : "\"")
                    .append(each.getKey().name().toLowerCase(Locale.ROOT))
                    .append("\":")
                    .append(each.getValue());
        }
        return json.append('}').toString();
    }
}
