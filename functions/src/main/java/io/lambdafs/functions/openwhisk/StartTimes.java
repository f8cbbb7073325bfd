package io.lambdafs.functions.openwhisk;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** How far this process came in its start, and when, by the wall clock. Each step counts once. Thread-safe. */
final class StartTimes {
    /** In their order, but that an instance may join before the reply to {@code /init} is on its way. */
    enum Step {
        /** The JVM has called the main method. */
        MAIN,
        /** {@code /init} may come. */
        LISTENING,
        /** {@code /init} is answered. */
        INITIALISED,
        /** A member, for the first time. */
        JOINED
    }

    private final Map<Step, Long> micros = new EnumMap<>(Step.class);

    /** Notes the time, unless the step was reached before. */
    synchronized void reached(Step step) {
        Instant now = Instant.now();
        micros.putIfAbsent(step, now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000);
    }

    /** The steps that were reached, each with its microseconds since 1970, as a JSON object. */
    synchronized String json() {
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
