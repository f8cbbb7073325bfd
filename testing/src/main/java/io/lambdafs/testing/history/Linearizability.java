package io.lambdafs.testing.history;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An online linearizability checker: searches for an order of a growing history's operations that respects real time
 * and explains every answer (Lowe, Testing for linearizability: just-in-time linearization). It keeps every possible
 * state of the file system, each with the pending operations that have taken effect in it. An operation whose answer
 * shows no change takes effect as soon as that answer is right; any other takes effect only when required by the end of
 * some operation, and then only if the two could interact, directly or through others: operations on different parts of
 * the tree commute. An operation with unknown outcome may take effect until its end, or never; a state in which it
 * still may represents the same state in which it has. At most {@value #MAX_UNDER_WAY} pending operations. Not
 * thread-safe.
 */
public final class Linearizability {
    /** Maximum number of pending operations. */
    public static final int MAX_UNDER_WAY = 64;
    /** Maximum number of states; the search is given up beyond it. */
    private static final int MAX_STATES = 100_000;

    private static final int CONTEXT = 60;

    /**
     * A possible state.
     *
     * @param done bit set of pending operations that have taken effect
     */
    private record State(ModelFs fs, long done) {}

    /** The start or end of an operation, in time order. */
    private record Moment(Event event, boolean ends) {}

    private final @Nullable Event[] underWay = new @Nullable Event[MAX_UNDER_WAY];
    private final long[] meets = new long[MAX_UNDER_WAY];
    private final Deque<Event> recent = new ArrayDeque<>();
    private final Deque<Moment> moments = new ArrayDeque<>();
    private List<State> states = List.of(new State(ModelFs.empty(), 0));
    private long taken;
    private long pure;
    private long open;
    private int mostStates = 1;
    private boolean gaveUp;
    private @Nullable String violation;

    /** Records the start of an operation; times never decrease. */
    public void begins(Event event) {
        moments.add(new Moment(event, false));
    }

    /** Records the end of an operation ({@link Event#hasEnded}). */
    public void ends(Event event) {
        moments.add(new Moment(event, true));
        drain();
    }

    /** Returns the answer that no order explains; null while there is an order. */
    public @Nullable String violation() {
        return violation;
    }

    /** Returns whether checking stopped because of too many possible states: only the earlier part has been checked. */
    public boolean gaveUp() {
        return gaveUp;
    }

    /** Returns the maximum number of states kept at once. */
    public int mostStates() {
        return mostStates;
    }

    /** Processes the history up to the first operation whose answer is pending. */
    private void drain() {
        while (violation == null && !gaveUp) {
            Moment next = moments.peek();
            if (next == null || !next.event().hasEnded()) {
                return;
            }
            moments.remove();
            if (next.event().hasVanished()) {
                continue;
            }
            if (next.ends()) {
                end(next.event());
            } else {
                begin(next.event());
            }
        }
    }

    private void begin(Event event) {
        int slot = Long.numberOfTrailingZeros(~taken);
        if (slot == MAX_UNDER_WAY) {
            throw new IllegalStateException("more than " + MAX_UNDER_WAY + " operations are under way");
        }
        long bit = 1L << slot;
        meets[slot] = bit;
        for (long left = taken; left != 0; left &= left - 1) {
            int other = Long.numberOfTrailingZeros(left);
            Event with = underWay[other];
            if (with != null && mayMeet(event.operation(), with.operation())) {
                meets[slot] |= 1L << other;
                meets[other] |= bit;
            }
        }
        taken |= bit;
        pure = event.changesNothing() ? pure | bit : pure & ~bit;
        open = event.reply() == null ? open | bit : open & ~bit;
        underWay[slot] = event;
        if ((pure & bit) != 0) {
            states = states.stream().map(this::settled).toList();
        }
    }

    /**
     * Returns whether the order of two operations may matter: a path of one is at, above or below a path of the other.
     */
    private static boolean mayMeet(Operation<?> one, Operation<?> other) {
        for (FsPath mine : places(one)) {
            for (FsPath others : places(other)) {
                if (mine.overlaps(others)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the subtrees an operation reads or changes, including missing parents it may create. */
    private static List<FsPath> places(Operation<?> operation) {
        FsPath path = operation.path();
        if (operation instanceof NamespaceOperation.Rename rename) {
            return List.of(path, rename.destination());
        }
        if (operation instanceof FileOperation.Complete) {
            // Its file may have been moved anywhere.
            return List.of(FsPath.ROOT);
        }
        boolean makesParents =
                operation instanceof FileOperation.Create || operation instanceof NamespaceOperation.Mkdirs;
        return List.of(makesParents && path.depth() > 1 ? path.ancestor(1) : path);
    }

    /** Returns the state after applying every unchanging operation that it answers correctly. */
    private State settled(State state) {
        long done = state.done();
        for (long left = taken & pure & ~done; left != 0; left &= left - 1) {
            int slot = Long.numberOfTrailingZeros(left);
            if (apply(state, slot) != null) {
                done |= 1L << slot;
            }
        }
        return done == state.done() ? state : new State(state.fs(), done);
    }

    private @Nullable ModelFs apply(State state, int slot) {
        Event event = underWay[slot];
        return event == null ? null : state.fs().after(event);
    }

    private void end(Event event) {
        recent.add(event);
        if (recent.size() > CONTEXT) {
            recent.remove();
        }
        int slot = 0;
        while (underWay[slot] != event) {
            slot++;
        }
        long bit = 1L << slot;
        List<State> ended = expand(slot);
        if (ended.isEmpty()) {
            violation = explain(event);
            return;
        }
        taken &= ~bit;
        open &= ~bit;
        pure &= ~bit;
        for (long left = taken; left != 0; left &= left - 1) {
            meets[Long.numberOfTrailingZeros(left)] &= ~bit;
        }
        underWay[slot] = null;
        states = distinct(ended, bit);
        mostStates = Math.max(mostStates, states.size());
        gaveUp = states.size() > MAX_STATES;
    }

    /** Returns the states without an ended operation, keeping of equal ones the least constrained. */
    private List<State> distinct(List<State> ended, long bit) {
        Map<State, List<State>> byKnown = new LinkedHashMap<>();
        for (State state : ended) {
            State now = new State(state.fs(), state.done() & ~bit);
            List<State> alike =
                    byKnown.computeIfAbsent(new State(now.fs(), now.done() & ~open), known -> new ArrayList<>(1));
            if (alike.stream().noneMatch(each -> (each.done() & ~now.done()) == 0)) {
                alike.removeIf(each -> (now.done() & ~each.done()) == 0);
                alike.add(now);
            }
        }
        List<State> kept = new ArrayList<>(byKnown.size());
        byKnown.values().forEach(kept::addAll);
        return kept;
    }

    /**
     * Returns all states in which an operation has taken effect, after others if needed; for unknown outcomes also
     * those in which it has not.
     */
    private List<State> expand(int slot) {
        long bit = 1L << slot;
        boolean optional = (open & bit) != 0;
        long relevant = connected(slot) & ~pure;
        List<State> into = new ArrayList<>();
        Set<State> seen = new LinkedHashSet<>();
        Deque<State> left = new ArrayDeque<>(states);
        if (optional) {
            states.stream().filter(state -> (state.done() & bit) == 0).forEach(into::add);
        }
        while (!left.isEmpty()) {
            State state = left.remove();
            if ((state.done() & bit) != 0) {
                into.add(state);
            } else {
                for (long each = relevant & ~state.done(); each != 0; each &= each - 1) {
                    State next = after(state, Long.numberOfTrailingZeros(each));
                    if (next != null && seen.add(next)) {
                        left.add(next);
                    }
                }
            }
        }
        return into;
    }

    /** Returns the pending operations that may interact with one, directly or through others. */
    private long connected(int slot) {
        long reached = 1L << slot;
        long fresh = reached;
        while (fresh != 0) {
            long next = 0;
            for (long left = fresh; left != 0; left &= left - 1) {
                next |= meets[Long.numberOfTrailingZeros(left)];
            }
            fresh = next & ~reached;
            reached |= next;
        }
        return reached & taken;
    }

    private @Nullable State after(State state, int slot) {
        ModelFs next = apply(state, slot);
        if (next == null || ((open & 1L << slot) != 0 && next.equals(state.fs()))) {
            return null;
        }
        return settled(new State(next, state.done() | 1L << slot));
    }

    private String explain(Event event) {
        StringBuilder text = new StringBuilder("no order of the operations explains\n  ")
                .append(event)
                .append("\nended before, the last of them:");
        recent.forEach(each -> text.append("\n  ").append(each));
        text.append("\nunder way:");
        for (Event each : underWay) {
            if (each != null) {
                text.append("\n  ").append(each);
            }
        }
        text.append("\npossible states: ").append(states.size());
        states.stream().limit(3).forEach(state -> text.append("\n").append(state.fs()));
        return text.toString();
    }
}
