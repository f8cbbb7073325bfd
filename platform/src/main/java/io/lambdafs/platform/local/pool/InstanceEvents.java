package io.lambdafs.platform.local.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/** What has happened to instances: the newest {@value #MAX_EVENTS} events, numbered from 1. Thread-safe. */
public final class InstanceEvents {
    static final int MAX_EVENTS = 500;
    private static final int MAX_TEXT = 300;

    /** What happened. */
    public enum Kind {
        /** An instance is ready. */
        STARTED,
        /** It was asked to leave: it was idle, or over a limit. */
        STOPPED,
        /** It was ended by force. */
        KILLED,
        /** Its process has ended, and nobody had asked it to. */
        LOST,
        /** It did not start. */
        FAILED,
        /** Another instance ended its epoch, for it did not answer. */
        FENCED,
        /** Writers waited long for acknowledgements. */
        WAITED
    }

    /**
     * One of them. Immutable.
     *
     * @param number counts up by one
     * @param millis when, since 1970
     * @param deployment empty where it is not known
     * @param instance empty where it is not known
     */
    public record Event(long number, long millis, Kind kind, String deployment, String instance, String text) {}

    private final Deque<Event> events = new ArrayDeque<>();
    private final LongSupplier clock;
    private long last;

    /** @param clock milliseconds since 1970 */
    InstanceEvents(LongSupplier clock) {
        this.clock = clock;
    }

    /** Adds one; the oldest goes where there are too many. */
    public synchronized void add(Kind kind, String deployment, String instance, String text) {
        String bounded = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
        events.addLast(new Event(++last, clock.getAsLong(), kind, deployment, instance, bounded));
        if (events.size() > MAX_EVENTS) {
            events.removeFirst();
        }
    }

    /** Those with a higher number that are still kept, oldest first. */
    public synchronized List<Event> after(long number) {
        return events.stream().filter(event -> event.number() > number).toList();
    }
}
