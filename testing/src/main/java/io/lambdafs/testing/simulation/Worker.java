package io.lambdafs.testing.simulation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.testing.history.Event;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import io.lambdafs.testing.simulation.cluster.SimulatedInstance;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A simulated user: makes requests sequentially through a client until the run ends. Not thread-safe. */
final class Worker {
    private static final long THINK_NANOS = 400_000;
    /** Fraction of operations that the superuser does not send. */
    private static final double USERS = 0.35;
    /** Fraction of reads sent to a wrong deployment. */
    private static final double STRAY = 0.08;

    private static final long STRAY_LIMIT_NANOS = 4_000_000_000L;
    /** Bound on clock differences: no request takes effect after its deadline by the store's clock. */
    private static final long MARGIN_NANOS = 1_000_000_000L;

    /** The context shared by a run's workers. */
    interface Run {
        /** Returns the next operation, or null at the end. */
        @Nullable
        Operation<?> next(Principal who);

        /** Returns some instance for a stray read; null if there is none. */
        @Nullable
        SimulatedInstance stray();

        /** Called when a file was created. */
        void made(FileOperation.Create create, Reply.Status status);

        /** Returns how long a client stays silent from now on, nanoseconds. */
        long silenceNanos(SimulatedClient client);

        /** Called when the worker has finished. */
        void finished();
    }

    private final int number;
    private final Run run;
    private final Agenda agenda;
    private final Recorder recorder;
    private SimulatedClient client;
    private @Nullable Event current;

    /** A worker's dependencies, besides its client. */
    record Context(Run run, Agenda agenda, Recorder recorder) {}

    Worker(int number, Context context, SimulatedClient client) {
        this.number = number;
        this.run = context.run();
        this.agenda = context.agenda();
        this.recorder = context.recorder();
        this.client = client;
    }

    boolean isBusy() {
        return current != null;
    }

    @Override
    public String toString() {
        return "worker " + number + " waits for " + current;
    }

    SimulatedClient client() {
        return client;
    }

    void start() {
        SimulatedClient mine = client;
        long pause = run.silenceNanos(mine) + agenda.within(THINK_NANOS);
        agenda.after(pause, () -> mine.process().message(() -> next(mine)));
    }

    private void next(SimulatedClient mine) {
        List<Principal> users = SimulatedClient.USERS;
        Principal who = agenda.chance(USERS) ? users.get(agenda.random().nextInt(users.size())) : SimulatedClient.ROOT;
        Operation<?> operation = run.next(who);
        if (operation == null) {
            run.finished();
            return;
        }
        Event event = recorder.begins(number, who, operation);
        current = event;
        SimulatedInstance other = operation.isWrite() || !agenda.chance(STRAY) ? null : run.stray();
        if (other == null) {
            ask(mine, event, operation);
        } else {
            askThere(mine, event, other);
        }
    }

    /**
     * Reads from an instance that does not own the path, as when requests are rerouted; without an answer the read is
     * repeated normally.
     */
    private void askThere(SimulatedClient mine, Event event, SimulatedInstance other) {
        long deadline = mine.process().currentTimeMillis() + 1_000;
        OperationRequest request = new OperationRequest(
                0, new RequestId(0, 0, 0, 0), 1, deadline, event.operation(), OperationRequest.ANY_GENERATION);
        boolean[] over = {false};
        Consumer<@Nullable Reply> end = reply -> mine.process().message(() -> {
            if (over[0]) {
                return;
            }
            over[0] = true;
            if (reply != null && Recorder.isDecision(reply)) {
                current = null;
                recorder.answered(event, reply);
                start();
            } else {
                ask(mine, event, event.operation());
            }
        });
        mine.process().schedule(STRAY_LIMIT_NANOS, () -> end.accept(null));
        other.serve(event.caller(), request, answer -> agenda.after(THINK_NANOS, () -> end.accept(answer.reply())));
    }

    private <R extends Reply> void ask(SimulatedClient mine, Event event, Operation<R> operation) {
        mine.of(event.caller()).execute(operation).whenComplete((reply, failure) -> {
            current = null;
            if (reply != null) {
                recorder.answered(event, reply);
                if (operation instanceof FileOperation.Create create && reply instanceof Reply.Status made) {
                    run.made(create, made);
                }
            } else {
                failed(event, FsException.of(failure));
            }
            start();
        });
    }

    private void failed(Event event, FsException failure) {
        if (Recorder.isDecision(failure.code())) {
            recorder.answered(event, Reply.Failure.of(failure));
            return;
        }
        int number = failure.code().number();
        if ((number >= 200 && number < 300) || number == 501 || number == 502 || number == 503) {
            recorder.violated("a fault of the system itself was reported: " + event + ": " + failure.getMessage());
        }
        giveUp(event, failure.code() + ": " + failure.getMessage());
    }

    private void giveUp(Event event, String why) {
        long end = event.invokedNanos() + SimulatedCluster.TIMES.deadline().toNanos() + MARGIN_NANOS;
        recorder.unanswered(event, why, Math.max(agenda.now(), end));
    }

    /** Switches to another client after its client's process has died. */
    void moveTo(SimulatedClient other) {
        Event lost = current;
        if (lost != null) {
            giveUp(lost, "the client died");
        }
        current = null;
        client = other;
        start();
    }
}
