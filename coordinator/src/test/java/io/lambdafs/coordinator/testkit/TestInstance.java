package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.session.EpochSession;
import io.lambdafs.coordinator.session.SessionContext;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One instance of a test: a process of its own with a session, and what it noted. */
public final class TestInstance implements AutoCloseable {
    private final Environment environment;
    private final String name;
    private final ProcessScheduler process;
    private final Coordinator connection;
    private final RecordingCoordinator coordinator;
    private final InvalidationChannel channel;
    private final EpochSession session;
    private final RecordingListener listener = new RecordingListener();

    public TestInstance(Environment environment, String name, Journal journal) {
        this.environment = environment;
        this.name = name;
        process = new ProcessScheduler(environment.clock());
        connection = environment.connect(process);
        coordinator = new RecordingCoordinator(connection, environment.clock(), journal);
        channel = environment.channel(process, name, connection);
        session = new EpochSession(
                new InstanceIdentity(0, name),
                new SessionContext(
                        coordinator,
                        channel,
                        new RecordingStore(environment.store(), environment.clock(), journal),
                        process,
                        environment.times()));
        session.attach(listener);
    }

    /** Joins and waits for it, also where the machine stood still for longer than a lease lasts and the session has to join again. */
    public long join() {
        try {
            return environment.await(session.join());
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof FsException failed) || failed.code() != ErrorCode.FENCED) {
                throw e;
            }
            environment.await("the session joins again", () -> session.isLive(session.epoch()));
            return session.epoch();
        }
    }

    /** This instance as it sees itself; waits where it has just lost an epoch and is about to have another. */
    public Member member() {
        environment.await(name + " is a member", () -> known() != null);
        return Objects.requireNonNull(known());
    }

    private @Nullable Member known() {
        return session.view().members().get(session.epoch());
    }

    public String name() {
        return name;
    }

    public ProcessScheduler process() {
        return process;
    }

    public Coordinator connection() {
        return connection;
    }

    public RecordingCoordinator coordinator() {
        return coordinator;
    }

    public InvalidationChannel channel() {
        return channel;
    }

    public EpochSession session() {
        return session;
    }

    public RecordingListener listener() {
        return listener;
    }

    /** A round to some members. */
    public CompletionStage<Void> invalidate(Member... targets) {
        return session.invalidate(
                List.of(targets),
                new Invalidation(
                        session.epoch(), new Scope(List.of(FsPath.of("/a/b")), List.of()), List.of(FsPath.of("/c"))));
    }

    public boolean isLiveUnder(long epoch) {
        return session.isLive(epoch);
    }

    /** Returns whether the store still has the row of an epoch. */
    public static boolean isAlive(Environment environment, long epoch) {
        StoreTransaction transaction = environment.store().begin(0);
        boolean alive = environment
                        .await(transaction.read(List.of(Read.unlocked(Rows.instanceKey(epoch))), 0))
                        .get(0)
                != null;
        transaction.abort();
        return alive;
    }

    /** The process is gone without a word. */
    public void kill() {
        process.kill();
        channel.close();
    }

    @Override
    public void close() {
        session.close();
        channel.close();
        coordinator.close();
    }
}
