package io.lambdafs.testing.simulation;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;

/** A simulated superuser who makes, moves and removes trees of a {@link TreeSimulation}. Not thread-safe. */
public abstract class TreeAsker extends Asker {
    /** The context shared by a run's askers. */
    public interface Run extends Asker.Run {
        boolean goesOn();

        /** Returns one of the directories that stay where they are. */
        FsPath top();

        /** Returns a name that no other call returns. */
        FsPath fresh(FsPath directory);

        /** Returns a path that may exist: a file or a directory below one of those. */
        FsPath known();

        /** Called when something may be at a path. */
        void made(FsPath path);
    }

    private final Run run;

    protected TreeAsker(Agenda agenda, Run run, SimulatedClient client) {
        super(agenda, run, SimulatedClient.ROOT, client);
        this.run = run;
    }

    /** Does some work, until the run ends. */
    protected abstract void act();

    @Override
    protected final void session() {
        if (run.goesOn()) {
            act();
        }
    }

    /** Sends an operation that is all of a session. */
    protected final void simple(Operation<Reply.Done> operation) {
        ask(operation, (reply, began) -> next());
    }

    /** Begins the next session after a while. */
    protected final void next() {
        later(agenda.within(SECOND / 20), this::session);
    }
}
