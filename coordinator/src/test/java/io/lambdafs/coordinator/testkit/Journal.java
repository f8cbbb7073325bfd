package io.lambdafs.coordinator.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/** A record of events, in order. Thread-safe. */
public final class Journal {
    /**
     * One event.
     *
     * @param sentAt when the call began, nanoseconds
     * @param at when this happened
     */
    public record Event(String what, long epoch, long sentAt, long at) {}

    private final List<Event> events = new ArrayList<>();

    public synchronized void note(String what, long epoch, long sentAt, long at) {
        events.add(new Event(what, epoch, sentAt, at));
    }

    public synchronized List<Event> of(String what, long epoch) {
        return events.stream()
                .filter(event -> event.what().equals(what) && event.epoch() == epoch)
                .toList();
    }

    public Event first(String what, long epoch) {
        return of(what, epoch).stream()
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException(what + " of " + epoch + " in " + this));
    }

    /** Position of the first such event; -1 if there is none. */
    public synchronized int indexOf(String what, long epoch) {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).what().equals(what) && events.get(i).epoch() == epoch) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public synchronized String toString() {
        return events.toString();
    }
}
