package io.lambdafs.platform.local.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/** Holds the newest {@value #MAX_EVENTS} events of instances, numbered from 1. Thread-safe. */
public final class InstanceEvents {
    static final int MAX_EVENTS = 500;
    private static final int MAX_TEXT = 300;

    /** The kind of an event. */
    public enum Kind {
        /** An instance is ready. */
        STARTED,
        /** It was asked to stop: it was idle, or over a limit. */
        STOPPED,
        /** It was killed. */
        KILLED,
        /** Its process ended unasked. */
        LOST,
        /** It did not start. */
        FAILED,
        /** Another instance ended its epoch because it did not answer. */
        FENCED,
        /** Writers waited long for acknowledgements. */
        WAITED
    }

    /**
     * An event. Immutable.
     *
     * @param number consecutive number
     * @param millis time, milliseconds since 1970
     * @param deployment empty if not known
     * @param instance empty if not known
     */
    public record Event(long number, long millis, Kind kind, String deployment, String instance, String text) {}

    private final Deque<Event> events = new ArrayDeque<>();
    private final LongSupplier clock;
    private long last;

    /** @param clock milliseconds since 1970 */
    InstanceEvents(LongSupplier clock) {
        this.clock = clock;
    }

    /** Adds an event, dropping the oldest when full. */
    public synchronized void add(Kind kind, String deployment, String instance, String text) {
        String bounded = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
        events.addLast(new Event(++last, clock.getAsLong(), kind, deployment, instance, bounded));
        if (events.size() > MAX_EVENTS) {
            events.removeFirst();
        }
    }

    /** Returns the kept events with higher numbers, oldest first. */
    public synchronized List<Event> after(long number) {
        return events.stream().filter(event -> event.number() > number).toList();
    }
}
