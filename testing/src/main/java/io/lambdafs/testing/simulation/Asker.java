package io.lambdafs.testing.simulation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import java.util.concurrent.TimeUnit;

/**
 * A simulated user that sends one operation after the other. A refusal or failure ends its session, and the next
 * begins. Not thread-safe.
 */
public abstract class Asker {
    protected static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** The context shared by a run's askers. */
    public interface Run {
        /** Called before an operation is sent. */
        void asks(Principal user, Operation<?> operation);

        void violated(String what);
    }

    protected final Agenda agenda;
    final Principal user;
    private final Run run;
    private SimulatedClient client;
    private int asked;
    private boolean busy;

    protected Asker(Agenda agenda, Run run, Principal user, SimulatedClient client) {
        this.agenda = agenda;
        this.run = run;
        this.user = user;
        this.client = client;
    }

    /** Begins some work. */
    protected abstract void session();

    public final SimulatedClient client() {
        return client;
    }

    /** Called when an operation was refused or failed. */
    protected void refused(Operation<?> operation, FsException why, long began) {}

    final boolean isBusy() {
        return busy;
    }

    /** Switches to another client after its client's process has died, losing its current work. */
    public final void moveTo(SimulatedClient other) {
        client = other;
        asked++;
        busy = false;
        start();
    }

    public final void start() {
        later(agenda.within(SECOND), this::session);
    }

    protected final void later(long nanos, Runnable step) {
        int mine = ++asked;
        SimulatedClient at = client;
        agenda.after(
                nanos,
                () -> at.process().message(() -> {
                    if (mine == asked) {
                        step.run();
                    }
                }));
    }

    protected final <R extends Reply> void ask(Operation<R> operation, Answer<R> answered) {
        int mine = ++asked;
        long began = agenda.now();
        busy = true;
        run.asks(user, operation);
        client.of(user).execute(operation).whenComplete((reply, failure) -> {
            if (mine != asked) {
                return;
            }
            busy = false;
            if (reply != null) {
                answered.accept(reply, began);
                return;
            }
            FsException why = FsException.of(failure);
            int number = why.code().number();
            if ((number >= 200 && number < 300) || number == 501 || number == 502 || number == 503) {
                run.violated("a fault of the system itself was reported: " + operation + ": " + why.getMessage());
            }
            refused(operation, why, began);
            start();
        });
    }

    /** The continuation after an answer. */
    protected interface Answer<R> {
        void accept(R reply, long began);
    }
}
