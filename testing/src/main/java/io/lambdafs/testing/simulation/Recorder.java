package io.lambdafs.testing.simulation;

import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import io.lambdafs.testing.history.Event;
import io.lambdafs.testing.history.Linearizability;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records a run's history, checks it as it grows, compares all answers to the same request, and counts events. Not
 * thread-safe.
 */
final class Recorder implements SimulatedTransport.Observer {
    private static final int REMEMBERED = 20_000;

    private final Agenda agenda;
    private final Linearizability check = new Linearizability();
    private final Map<RequestId, String> answers = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RequestId, String> eldest) {
            return size() > REMEMBERED;
        }
    };
    /** Request ids by operation, compared by identity. */
    private final IdentityHashMap<Operation<?>, RequestId> ids = new IdentityHashMap<>();
    /** Callers of writes. */
    private final IdentityHashMap<Operation<?>, Principal> callers = new IdentityHashMap<>();

    /** Creating events by file id. */
    private final Map<Long, Long> made = new HashMap<>();

    private final Function<RequestId, @Nullable Reply> slots;
    private final Counts counts = new Counts();
    private @Nullable Invalidation lastRound;
    private @Nullable String violation;
    private long hash = 0xcbf29ce484222325L;
    /** 0 stands for no event. */
    private long sequence = 1;

    private boolean loadIsOver;

    /** Event counts. */
    static final class Counts {
        long operations;
        long writes;
        long subtreeOperations;
        long reads;
        long hits;
        long rounds;
        long unknown;
        long denied;
        long twins;
        long faults;

        void add(Counts other) {
            operations += other.operations;
            writes += other.writes;
            subtreeOperations += other.subtreeOperations;
            reads += other.reads;
            hits += other.hits;
            rounds += other.rounds;
            unknown += other.unknown;
            denied += other.denied;
            twins += other.twins;
            faults += other.faults;
        }
    }

    /** @param slots returns the store's recorded answer to a request; null if unseen; throws if it has a later one */
    Recorder(Agenda agenda, Function<RequestId, @Nullable Reply> slots) {
        this.agenda = agenda;
        this.slots = slots;
    }

    Counts counts() {
        return counts;
    }

    long hash() {
        return hash;
    }

    /** Returns the first violation; null if none. */
    @Nullable
    String violation() {
        return violation != null ? violation : check.violation();
    }

    /** Checks events from now on without counting them as load. */
    void loadIsOver() {
        loadIsOver = true;
    }

    void violated(String what) {
        if (violation() == null) {
            violation = what;
        }
    }

    Event begins(int client, Principal who, Operation<?> operation) {
        long earliestMillis = SimulatedCluster.earliestMillis(agenda.now());
        long writer = operation instanceof FileOperation.Complete complete
                ? made.getOrDefault(complete.file().id(), -1L)
                : 0;
        Event event = new Event(
                new Event.Asker(sequence++, client, who, writer),
                operation,
                new Event.Asked(agenda.now(), earliestMillis));
        if (operation.isWrite()) {
            callers.put(operation, who);
        }
        check.begins(event);
        return event;
    }

    /** Returns the caller of a write. */
    Principal caller(Operation<?> write) {
        Principal who = callers.get(write);
        if (who == null) {
            throw new IllegalArgumentException("nobody asked for " + write);
        }
        return who;
    }

    /** Records and counts an answer of the service. */
    void answered(Event event, Reply reply) {
        event.answered(reply, agenda.now());
        if (event.operation() instanceof FileOperation.Create && reply instanceof Reply.Status status) {
            made.put(status.attributes().id(), event.number());
        }
        ended(event);
    }

    /**
     * Records an operation with unknown outcome, which may take effect until a given time. Its slot then holds the
     * answer that every retry would get.
     */
    void unanswered(Event event, String why, long until) {
        counts.unknown++;
        agenda.at(until, () -> {
            RequestId id = event.operation().isWrite() ? ids.get(event.operation()) : null;
            try {
                Reply answer = id == null ? null : slots.apply(id);
                if (answer == null) {
                    event.vanished(why, agenda.now());
                } else {
                    event.answered(answer, agenda.now());
                }
            } catch (FsException overwritten) {
                // The client believed that nothing had happened and reused the slot.
                event.unanswered(why, agenda.now());
            }
            ended(event);
        });
    }

    private void ended(Event event) {
        counts.operations += check.gaveUp() ? 0 : 1;
        counts.denied += !loadIsOver && event.operation().isWrite() && isDenied(event) ? 1 : 0;
        if (loadIsOver) {
            // The remaining reads check the final state, unlike the load.
        } else if (event.operation().isWrite()) {
            counts.writes++;
        } else {
            counts.reads++;
        }
        mix(event.toString());
        check.ends(event);
    }

    private static boolean isDenied(Event event) {
        return event.reply() instanceof Reply.Failure failure && failure.code() == ErrorCode.PERMISSION_DENIED;
    }

    private void mix(String text) {
        hash = (hash ^ text.hashCode()) * 0x100000001b3L;
        hash ^= hash >>> 29;
    }

    /** A message sent to several instances is one object. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isNew(Invalidation round) {
        boolean fresh = round != lastRound;
        lastRound = round;
        return fresh;
    }

    @Override
    public void request(SimulatedProcess from, SimulatedProcess to, Message message) {
        if (message instanceof OperationRequest request && request.operation().isWrite()) {
            ids.put(request.operation(), request.id());
        }
        if (message instanceof Invalidation round
                && round.prefixes().isEmpty()
                && isNew(round)
                && !round.scope().isEmpty()) {
            counts.rounds++;
        }
    }

    @Override
    public void reply(SimulatedProcess from, SimulatedProcess to, Message request, Message reply) {
        if (request instanceof OperationRequest asked && reply instanceof OperationReply answer) {
            replied(asked, answer);
        }
    }

    /** Records an instance's answer to a request or its twin. */
    void replied(OperationRequest asked, OperationReply answer) {
        if (!asked.operation().isWrite()) {
            counts.hits += answer.cacheHit() && !loadIsOver ? 1 : 0;
            return;
        }
        if (!isDecision(answer.reply())) {
            return;
        }
        String text = Event.text(answer.reply());
        String before = answers.putIfAbsent(asked.id(), text);
        if (before != null && !before.equals(text)) {
            violated("request " + asked.id() + " " + asked.operation() + " was answered \"" + before + "\" and then \""
                    + text + "\"");
        }
    }

    /** Returns whether a reply decides an operation. */
    static boolean isDecision(Reply reply) {
        return !(reply instanceof Reply.Failure failure) || isDecision(failure.code());
    }

    static boolean isDecision(ErrorCode code) {
        return code.disposition() == Disposition.FINAL && code.number() < 200;
    }

    boolean gaveUp() {
        return check.gaveUp();
    }

    int mostStates() {
        return check.mostStates();
    }
}
