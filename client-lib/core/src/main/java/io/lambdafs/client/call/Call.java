package io.lambdafs.client.call;

import io.lambdafs.client.transport.Attempt;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.tracing.TraceParent;
import io.lambdafs.rpc.tracing.Traced;
import io.lambdafs.rpc.tracing.Tracing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request from acceptance to result: takes a slot if it is a write, then attempts and retries under the same id as
 * {@link Retries} decides. Afterwards a decided write releases its slot, an undecided one retires it. The steps are
 * sequential, each on the thread that ended the previous one; only {@link #abandon} and {@link #answeredLate} may come
 * concurrently, and the first to end the call decides its result.
 *
 * @param <R> the reply on success
 */
public final class Call<R extends Reply> implements Attempt.Outcome {
    /** From this attempt on, HTTP is used instead of a connection that keeps refusing. */
    private static final int PATIENCE = 3;

    private final Calls client;
    private final Operation<R> operation;
    /** The caller's own id, instead of a slot; null for a read, and for most writes. */
    private final @Nullable RequestId given;

    private final long startNanos;
    private final long endNanos;
    private final long deadlineMillis;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private Attempt.@Nullable Envelope envelope;
    private SlotTable.@Nullable Slot slot;
    private @Nullable Traced traced;
    private @Nullable FsException unknown;
    private int attempts;
    private volatile boolean lingers;

    public Call(Calls client, Operation<R> operation) {
        this(client, operation, null);
    }

    public Call(Calls client, Operation<R> operation, @Nullable RequestId given) {
        this.client = client;
        this.operation = operation;
        this.given = given;
        this.startNanos = client.scheduler().nanoTime();
        long deadline = client.config().times().deadline().toNanos();
        this.endNanos = startNanos + deadline;
        this.deadlineMillis = client.scheduler().currentTimeMillis() + deadline / 1_000_000;
    }

    /** @param trace numbers the client's reads */
    public CompletionStage<R> start(long trace) {
        if (given != null) {
            begin(given);
        } else if (operation.isWrite()) {
            takeSlot();
        } else {
            begin(client.slots().trace(trace));
        }
        return result;
    }

    private void takeSlot() {
        CompletionStage<SlotTable.Slot> free;
        try {
            free = client.slots().acquire(endNanos - startNanos);
        } catch (FsException full) {
            // This process has no timers left.
            fail(full, false);
            return;
        }
        if (!free.toCompletableFuture().isDone()) {
            lingers();
        }
        free.whenComplete((taken, none) -> {
            if (none != null) {
                fail(FsException.of(none), false);
            } else {
                slot = taken;
                begin(taken.id());
            }
        });
    }

    private void begin(RequestId id) {
        traced = Tracing.process().first(operation.kind().label());
        attempt(routed(id), 0, true);
    }

    /** Routes the operation by the placement known to this process, unless the client's routing says otherwise. */
    private Attempt.Envelope routed(RequestId id) {
        Placement placement = client.transport().placement();
        Attempt.Envelope sent = new Attempt.Envelope(
                client.config().routing().deployment(placement, operation),
                placement.generation(),
                id,
                deadlineMillis,
                operation,
                trace());
        envelope = sent;
        return sent;
    }

    private @Nullable TraceParent trace() {
        Traced span = traced;
        return span == null ? null : span.context();
    }

    /**
     * Reroutes a request that could not be sent by HTTP: every second attempt goes to deployment 0, which always
     * exists. Its reply reveals the number of deployments if this process has an outdated one and calls functions that
     * no longer exist.
     */
    private Attempt.Envelope elsewhere(Attempt.Envelope sent) {
        if (sent.deployment() == 0 || client.transport().isConnected(sent.deployment())) {
            return routed(sent.id());
        }
        Attempt.Envelope next = new Attempt.Envelope(
                0, sent.generation(), sent.id(), sent.deadlineMillis(), sent.operation(), sent.trace());
        envelope = next;
        return next;
    }

    /**
     * @param avoid id of the connection that failed the previous attempt; 0 for none
     * @param sameAgain whether to reuse it if there is no other
     */
    private void attempt(Attempt.Envelope sent, long avoid, boolean sameAgain) {
        if (ended.get()) {
            return;
        }
        attempts++;
        Attempt.Envelope current =
                sent.generation() == client.transport().placement().generation() ? sent : routed(sent.id());
        long attemptEnd = client.scheduler().nanoTime()
                + client.config().times().attempt().toNanos();
        long end = attemptEnd - endNanos < 0 ? attemptEnd : endNanos;
        boolean patient = attempts <= PATIENCE || client.transport().thrashing().isOn();
        Attempt.Route route = new Attempt.Route(end, avoid, sameAgain && patient);
        client.transport().send(new Attempt(current, attempts, route, this));
    }

    @Override
    public void answered(Attempt attempt, OperationReply answer) {
        if (answer.reply() instanceof Reply.Failure failure) {
            if (failure.placement() != null) {
                client.transport().resized(failure.placement());
            }
            failed(attempt, failure.toException(), true);
        } else if (operation.replyType().isInstance(answer.reply())) {
            succeed(operation.replyType().cast(answer.reply()), answer.cacheHit());
        } else {
            String kind = answer.reply().getClass().getSimpleName();
            failed(attempt, new FsException(ErrorCode.INTERNAL, "the service answered with " + kind), false);
        }
    }

    @Override
    public void answeredLate(Attempt attempt, OperationReply answer) {
        if (operation.replyType().isInstance(answer.reply())) {
            succeed(operation.replyType().cast(answer.reply()), answer.cacheHit());
        } else if (answer.reply() instanceof Reply.Failure failure && isDecision(failure.code())) {
            giveUp(failure.toException(), true);
        }
    }

    /** Tries another instance at once. A write given up may have taken effect: its slot knows. */
    @Override
    public void straggles(Attempt attempt) {
        Attempt.Envelope sent = envelope;
        if (ended.get() || sent == null) {
            return;
        }
        unknown = new FsException(
                ErrorCode.TIMED_OUT, "an instance took far longer than usual, and had not answered yet");
        lingers();
        attempt(sent, attempt.usedConnection(), false);
    }

    @Override
    public void failed(Attempt attempt, FsException why) {
        failed(attempt, why, false);
    }

    /** @param byService whether the failure is from a NameNode, not from platform or network */
    private void failed(Attempt attempt, FsException why, boolean byService) {
        if (ended.get()) {
            return;
        }
        if (why.code().disposition() == Disposition.OUTCOME_UNKNOWN) {
            unknown = why;
        }
        long elapsed = client.scheduler().nanoTime() - startNanos;
        boolean contact = unknown != null || client.transport().hasContact();
        Retries.Progress progress = new Retries.Progress(attempts, elapsed, contact);
        long delay = client.isClosed() ? Retries.GIVE_UP : client.retries().delayAfter(why.code(), progress);
        Attempt.Envelope sent = envelope;
        if (delay == Retries.GIVE_UP || sent == null) {
            giveUp(Retries.isOutOfReach(why.code(), progress) ? outOfReach(why, elapsed) : why, byService);
            return;
        }
        client.metrics().retried(why.code());
        lingers();
        long avoid = attempt.usedConnection();
        Attempt.Envelope next = why.code() == ErrorCode.UNAVAILABLE && avoid == 0 ? elsewhere(sent) : sent;
        boolean hangs = why.code() == ErrorCode.TIMED_OUT;
        try {
            client.scheduler().schedule(delay, () -> attempt(next, avoid, !hangs));
        } catch (FsException full) {
            giveUp(why, byService);
        }
    }

    private static FsException outOfReach(FsException why, long elapsedNanos) {
        String text = why.getMessage() + "; given up after " + TimeUnit.NANOSECONDS.toMillis(elapsedNanos)
                + " ms, for nothing of it was ever reached";
        return new FsException(why.code(), text, why);
    }

    @Override
    public void lingers() {
        if (!lingers) {
            lingers = true;
            client.linger(this);
        }
    }

    /** Abandons the request because its client is closing; a write may still take effect. */
    public void abandon() {
        fail(new FsException(ErrorCode.CONNECTION_LOST, "the client was closed before the answer came"), true);
    }

    private void succeed(R reply, boolean cacheHit) {
        if (!end()) {
            return;
        }
        SlotTable.Slot used = slot;
        if (used != null) {
            client.slots().release(used);
        }
        endTrace(null);
        client.metrics().succeeded(operation, cacheHit);
        result.complete(reply);
    }

    private void giveUp(FsException last, boolean byService) {
        boolean open = operation.isWrite() && isOpen(last, byService);
        FsException uncertain = unknown;
        if (!open || uncertain == null) {
            fail(last, open);
            return;
        }
        String then = uncertain == last ? "" : "; then " + last.code() + ": " + last.getMessage();
        FsException why = new FsException(
                uncertain.code(), "outcome unknown, it may have taken effect: " + uncertain.getMessage() + then, last);
        fail(why, true);
    }

    /** Returns whether a write that failed this way may have taken effect, or may still. */
    private boolean isOpen(FsException last, boolean byService) {
        ErrorCode code = last.code();
        if (code.disposition() == Disposition.OUTCOME_UNKNOWN
                || code == ErrorCode.INTERNAL
                || code == ErrorCode.BAD_FRAME) {
            return true;
        }
        return unknown != null && !(byService && isDecision(code));
    }

    /**
     * Returns whether an error is a decision about the namespace, recorded in the request's slot, not a state of the
     * service.
     */
    private static boolean isDecision(ErrorCode code) {
        return code.disposition() == Disposition.FINAL && code.number() < 200;
    }

    /** @param open whether the write may have taken effect, or may still */
    private void fail(FsException why, boolean open) {
        if (!end()) {
            return;
        }
        SlotTable.Slot used = slot;
        if (used != null && open) {
            client.slots().retire(used);
        } else if (used != null) {
            client.slots().release(used);
        }
        endTrace(why.code().name());
        client.metrics().failed(operation, why.code());
        Attempt.Envelope sent = envelope;
        String text = operation.kind().label() + " " + operation.path() + ": " + why.getMessage()
                + (sent == null
                        ? ""
                        : " [request " + sent.id() + (attempts > 1 ? ", " + attempts + " attempts]" : "]"));
        Throwable cause = why.getCause();
        result.completeExceptionally(
                cause == null ? new FsException(why.code(), text) : new FsException(why.code(), text, cause));
    }

    private void endTrace(@Nullable String error) {
        Traced span = traced;
        if (span != null) {
            span.end(error);
        }
    }

    private boolean end() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        client.ended(this, startNanos, lingers);
        return true;
    }
}
