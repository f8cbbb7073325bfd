package io.lambdafs.hammer.loop;

import io.lambdafs.hammer.replay.Time;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one call in flight in each lane: a lane's next call begins when the previous one has ended, at once or at its
 * set time. Calls are asynchronous, or block the lane's own thread. Every answer is checked for success. Configured and
 * used by one thread.
 *
 * @param <C> type of a call
 */
public final class ClosedLoop<C> {
    private static final long LAST_CALLS_SECONDS = 300;

    private final Calls<C> calls;
    private final Sender<C> sender;
    private Function<C, String> description = String::valueOf;
    private Pace pace = (lane, number) -> -1;
    private Executor starter = Runnable::run;
    private Time time = Time.REAL;

    /**
     * @param calls the calls to send
     * @param sender sends them
     */
    public ClosedLoop(Calls<C> calls, Sender<C> sender) {
        this.calls = calls;
        this.sender = sender;
    }

    /** Returns a loop that sends operations, described by kind and path. */
    public static ClosedLoop<Operation<?>> of(Target target, Calls<Operation<?>> operations) {
        return new ClosedLoop<Operation<?>>(operations, operation -> target.execute(operation))
                .describedBy(operation -> operation.kind() + " " + operation.path());
    }

    /** Sends calls. Thread-safe. */
    @FunctionalInterface
    public interface Sender<C> {
        /** Sends a call; it has failed if the stage does, or completes with {@code false}. */
        CompletionStage<?> send(C call) throws Exception;
    }

    /** Sets the times at which calls begin. */
    @FunctionalInterface
    public interface Pace {
        /** Returns nanoseconds from the loop's start to a lane's call of this number; negative to begin at once. */
        long dueNanos(int lane, long number);
    }

    /** Notified of the span's start and end, on the thread that runs the loop. */
    public interface Edges {
        void begin();

        void end();
    }

    /** Sets how failed calls are described. */
    public ClosedLoop<C> describedBy(Function<C, String> describing) {
        description = describing;
        return this;
    }

    /** Sets times for the calls; the latency of one delayed by its predecessor counts from them. */
    public ClosedLoop<C> paced(Pace due) {
        pace = due;
        return this;
    }

    /** Gives each lane a thread, for senders that block. */
    public ClosedLoop<C> inThreads() {
        starter = lane -> {
            Thread thread = new Thread(lane, "lane");
            thread.setDaemon(true);
            thread.start();
        };
        return this;
    }

    /** Sets the clock. */
    public ClosedLoop<C> by(Time clock) {
        time = clock;
        return this;
    }

    /** Runs the loop. */
    public LoopResult run(int lanes, Span span) throws InterruptedException {
        return run(lanes, span, new Edges() {
            @Override
            public void begin() {}

            @Override
            public void end() {}
        });
    }

    /** Runs the loop until its span or its calls end, and waits for the last answers. */
    public LoopResult run(int lanes, Span span, Edges edges) throws InterruptedException {
        Recorder recorder = new Recorder(span, lanes);
        long start = time.nanos();
        CompletableFuture<?>[] ends = new CompletableFuture<?>[lanes];
        for (int i = 0; i < lanes; i++) {
            Lane lane = new Lane(i, span, recorder, start);
            ends[i] = lane.end;
            starter.execute(lane::go);
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(ends);
        boolean unused = time.await(all, span.beginNanos());
        edges.begin();
        unused = time.await(all, span.endNanos());
        edges.end();
        if (!time.await(all, time.nanos() + TimeUnit.SECONDS.toNanos(LAST_CALLS_SECONDS))) {
            throw new IllegalStateException("calls are still in flight after " + LAST_CALLS_SECONDS + " s");
        }
        span.ended(time.nanos());
        return recorder.result();
    }

    /** One lane. Its completions hand it from thread to thread, one after the other. */
    private final class Lane {
        private final int number;
        private final Span span;
        private final Recorder recorder;
        private final long start;
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private long sent;

        Lane(int number, Span span, Recorder recorder, long start) {
            this.number = number;
            this.span = span;
            this.recorder = recorder;
            this.start = start;
        }

        /** Sends calls until one does not end at once: a loop, so that calls refused at once do not nest. */
        void go() {
            boolean goesOn = true;
            while (goesOn) {
                long now = time.nanos();
                long due = pace.dueNanos(number, sent);
                long wait = due < 0 ? 0 : start + due - now;
                if (span.isOver(now)) {
                    end.complete(null);
                    return;
                }
                if (wait > 0) {
                    time.after(wait, () -> {
                        if (call(time.nanos())) {
                            go();
                        }
                    });
                    return;
                }
                goesOn = call(now + wait);
            }
        }

        /**
         * Sends the next call.
         *
         * @param begun its start, or its set time if that is over
         * @return whether it has ended, and another may be sent
         */
        private boolean call(long begun) {
            C call = next();
            if (call == null) {
                return false;
            }
            sent++;
            CompletableFuture<?> answer = send(call);
            if (answer.isDone()) {
                answer.whenComplete((value, thrown) -> note(call, begun, value, thrown));
                return true;
            }
            answer.whenComplete((value, thrown) -> {
                note(call, begun, value, thrown);
                go();
            });
            return false;
        }

        private @Nullable C next() {
            try {
                C call = calls.next(number);
                if (call == null) {
                    span.ranOut(time.nanos());
                    end.complete(null);
                }
                return call;
            } catch (RuntimeException e) {
                end.completeExceptionally(e);
                return null;
            }
        }

        private CompletableFuture<?> send(C call) {
            try {
                return sender.send(call).toCompletableFuture();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CompletableFuture.failedFuture(e);
            } catch (Exception | Error e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private void note(C call, long begun, @Nullable Object value, @Nullable Throwable thrown) {
            long now = time.nanos();
            if (thrown == null && !Boolean.FALSE.equals(value)) {
                recorder.succeeded(number, begun, now);
            } else {
                recorder.failed(now, () -> description.apply(call) + ": " + problem(thrown));
            }
        }

        private static String problem(@Nullable Throwable thrown) {
            return thrown == null
                    ? "it had no effect, or showed too little"
                    : FsException.unwrap(thrown).toString();
        }
    }
}
