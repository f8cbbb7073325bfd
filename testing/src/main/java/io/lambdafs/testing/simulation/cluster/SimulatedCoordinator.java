package io.lambdafs.testing.simulation.cluster;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.coordinator.memory.MemoryCoordinator;
import io.lambdafs.coordinator.memory.MemoryEnsemble;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One instance's coordinator client over the simulated network. Its session lives as long as its pings arrive: not over
 * a partitioned link, nor from a frozen or dead process. Not thread-safe.
 */
final class SimulatedCoordinator implements Coordinator {
    private static final long CALL_LIMIT_NANOS = 2_000_000_000L;
    private static final long PING_NANOS = 500_000_000L;

    /**
     * The state shared by all clients of a coordinator.
     *
     * @param process of the coordinator
     * @param post process that delivers letters, over separate links, like watches and polls
     */
    record Server(
            MemoryEnsemble ensemble,
            SimulatedProcess process,
            SimulatedProcess post,
            Network network,
            Agenda agenda,
            Conditions conditions) {}

    private final Server server;
    private final SimulatedProcess client;
    private final MemoryCoordinator session;
    private final Mailboxes mailboxes;
    private boolean silent;
    private boolean closed;
    private long lastReport;

    SimulatedCoordinator(Server server, SimulatedProcess client) {
        this.server = server;
        this.client = client;
        this.session = server.ensemble().connect(server.process());
        this.mailboxes = new SimulatedMailboxes(this, session.mailboxes());
        ping();
    }

    private void ping() {
        boolean heard = client.isRunning() && !server.network().isCut(client, server.process());
        if (heard == silent) {
            silent = !heard;
            if (silent) {
                session.partition();
            } else {
                session.heal();
            }
        }
        if (!closed && (heard || !client.isDead())) {
            server.agenda().after(PING_NANOS, this::ping);
        }
    }

    @Override
    public void watch(Consumer<View> listener) {
        session.watch(view -> {
            long late = server.agenda().within(server.conditions().newsNanos);
            lastReport = Math.max(lastReport, server.network().arrival(server.process(), client) + late);
            server.agenda().at(lastReport, () -> client.message(() -> listener.accept(view)));
        });
    }

    @Override
    public CompletionStage<View> register(Member self) {
        // Two calls, so that others can come in between.
        return call(() -> session.register(self)).thenCompose(before -> members());
    }

    @Override
    public CompletionStage<View> members() {
        return call(session::members);
    }

    @Override
    public CompletionStage<Void> renew(long epoch) {
        return call(() -> session.renew(epoch));
    }

    @Override
    public CompletionStage<Void> refuseRenewals(long epoch) {
        return call(() -> session.refuseRenewals(epoch));
    }

    @Override
    public CompletionStage<Void> forget(long epoch) {
        return call(() -> session.forget(epoch));
    }

    @Override
    public Mailboxes mailboxes() {
        return mailboxes;
    }

    /** Sends the coordinator a message without an answer. */
    void ask(Runnable work) {
        server.network().send(client, server.process(), work);
    }

    /** Sends the instance a letter. */
    void deliver(Runnable work) {
        server.network().send(server.post(), client, work);
    }

    /** Sends the instance a message. */
    void tell(Runnable work) {
        server.network().send(server.process(), client, work);
    }

    <T> CompletionStage<T> call(Supplier<CompletionStage<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Scheduler.Timer limit = client.schedule(
                CALL_LIMIT_NANOS,
                () -> result.completeExceptionally(
                        FsException.unavailable("the coordinator does not answer; try again")));
        result.whenComplete((value, failure) -> limit.cancel());
        server.network()
                .send(
                        client,
                        server.process(),
                        () -> work.get().whenComplete((value, failure) -> {
                            server.network().send(server.process(), client, () -> {
                                if (failure == null) {
                                    result.complete(value);
                                } else {
                                    result.completeExceptionally(FsException.of(failure));
                                }
                            });
                        }));
        return result;
    }

    @Override
    public void close() {
        closed = true;
        session.close();
    }
}
