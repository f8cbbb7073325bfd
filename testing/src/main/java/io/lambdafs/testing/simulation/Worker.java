package io.lambdafs.testing.simulation;

import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Principal;
import io.lambdafs.model.Reply;
import io.lambdafs.model.RequestId;
import io.lambdafs.rpc.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.testing.history.Event;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks one thing after another through a client, until its run has had enough. Not thread-safe. */
final class Worker {
    private static final long THINK_NANOS = 400_000;
    /** Part of the operations that are not the superuser's. */
    private static final double USERS = 0.35;
    /** Part of the reads that go astray. */
    private static final double STRAY = 0.08;

    private static final long STRAY_LIMIT_NANOS = 4_000_000_000L;
    /** After its deadline, by the store's clock, no request takes effect; clocks differ by less than this. */
    private static final long MARGIN_NANOS = 1_000_000_000L;

    /** What workers of a run share. */
    interface Run {
        /** The next operation, or null where it is enough. */
        @Nullable
        Operation<?> next(Principal who);

        /** Some instance, to which a read goes that its deployment did not get; null where there is none. */
        @Nullable
        SimulatedInstance stray();

        /** A file was made. */
        void made(FileOperation.Create create, Reply.Status status);

        /** Returns how long a client stays silent from now on, nanoseconds. */
        long silenceNanos(SimulatedClient client);

        /** The worker asks nothing more. */
        void finished();
    }

    private final int number;
    private final Run run;
    private final Agenda agenda;
    private final Recorder recorder;
    private SimulatedClient client;
    private @Nullable Event current;

    /** What a worker works with, its client aside. */
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

    /** A read at an instance that does not own its path, as when requests are rerouted; what is no answer is asked again in order. */
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

    /** Its client's process has died: another takes its place. */
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
