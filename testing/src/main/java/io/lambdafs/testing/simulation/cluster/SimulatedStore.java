package io.lambdafs.testing.simulation.cluster;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process's store client, over a network that delays and loses messages, with a possibly slow disk. Errors have the
 * meaning of the real client's. When the process dies the store ends its transactions. Not thread-safe.
 */
final class SimulatedStore implements MetadataStore {
    private static final long CALL_LIMIT_NANOS = 8_000_000_000L;

    /** The state shared by all clients of a store. */
    static final class Server {
        final MetadataStore engine;
        final SimulatedProcess process;
        final Network network;
        final Agenda agenda;
        final Conditions conditions;
        /** Pending calls, each with the action that fails it when the server ends. */
        private final Map<CompletableFuture<?>, Runnable> awaited = new LinkedHashMap<>();
        /** Called for each commit. */
        private Runnable watcher = () -> {};

        Server(MetadataStore engine, SimulatedProcess process, SimulatedCluster cluster) {
            this.engine = engine;
            this.process = process;
            this.network = cluster.network;
            this.agenda = cluster.agenda;
            this.conditions = cluster.conditions;
        }

        void watch(Runnable told) {
            watcher = told;
        }

        /** Kills the server: pending calls get no answer. */
        void kill() {
            process.kill();
            List.copyOf(awaited.values()).forEach(each -> agenda.after(agenda.within(1_000_000), each));
        }
    }

    private final Supplier<Server> servers;
    private final SimulatedProcess client;
    private final Set<View> open = new LinkedHashSet<>();

    /** @param servers supplies the current server */
    SimulatedStore(Supplier<Server> servers, SimulatedProcess client) {
        this.servers = servers;
        this.client = client;
        client.onEnd(() -> servers.get().agenda.after(5_000_000, this::abortAll));
    }

    private void abortAll() {
        for (View view : List.copyOf(open)) {
            view.server.process.message(view.inner::abort);
        }
        open.clear();
    }

    @Override
    public StoreTransaction begin(long epoch) {
        Server now = servers.get();
        return new View(now, now.engine.begin(epoch));
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        Server now = servers.get();
        return call(now, () -> now.engine.fence(epoch), ErrorCode.UNAVAILABLE);
    }

    @Override
    public void close() {
        abortAll();
    }

    /**
     * Makes a call, with both network hops.
     *
     * @param lost the failure if no answer comes
     */
    @SuppressWarnings("CollectionUndefinedEquality") // Compared by identity.
    private <T extends @Nullable Object> CompletionStage<T> call(
            Server server, Supplier<CompletionStage<T>> work, ErrorCode lost) {
        CompletableFuture<T> result = new CompletableFuture<>();
        server.awaited.put(result, () -> client.message(() -> result.completeExceptionally(gone(lost))));
        result.whenComplete((value, failure) -> server.awaited.remove(result));
        boolean prompt = server.network.send(
                client,
                server.process,
                () -> work.get().whenComplete((value, failure) -> {
                    boolean back = server.network.send(server.process, client, () -> {
                        if (failure == null) {
                            result.complete(value);
                        } else {
                            result.completeExceptionally(FsException.of(failure));
                        }
                    });
                    if (!back) {
                        limit(server, result, lost);
                    }
                }));
        if (!prompt || !server.process.isRunning()) {
            limit(server, result, lost);
        }
        return result;
    }

    private static FsException gone(ErrorCode lost) {
        return new FsException(lost, "the store does not answer");
    }

    private <T extends @Nullable Object> void limit(Server server, CompletableFuture<T> result, ErrorCode lost) {
        Scheduler.Timer timer =
                client.schedule(server.agenda.within(CALL_LIMIT_NANOS), () -> result.completeExceptionally(gone(lost)));
        result.whenComplete((value, failure) -> timer.cancel());
    }

    private final class View implements StoreTransaction {
        private final Server server;
        private final StoreTransaction inner;
        private boolean committing;
        private boolean broken;
        private boolean over;

        View(Server server, StoreTransaction inner) {
            this.server = server;
            this.inner = inner;
        }

        @Override
        public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
            return guarded(() -> inner.read(reads, lockWaitNanos));
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            return guarded(() -> inner.scan(scan));
        }

        private <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> work) {
            if (over) {
                return CompletableFuture.failedFuture(ended());
            }
            open.add(this);
            if (server.agenda.chance(server.conditions.storeConflict)) {
                return conflict();
            }
            CompletableFuture<T> result = new CompletableFuture<>();
            call(server, work, ErrorCode.UNAVAILABLE).whenComplete((value, failure) -> {
                if (failure != null) {
                    abort();
                    result.completeExceptionally(FsException.of(failure));
                } else if (over) {
                    result.completeExceptionally(ended());
                } else {
                    result.complete(value);
                }
            });
            return result;
        }

        private <T> CompletionStage<T> conflict() {
            abort();
            CompletableFuture<T> refused = new CompletableFuture<>();
            client.execute(() -> refused.completeExceptionally(
                    new FsException(ErrorCode.STORE_CONFLICT, "the store ended the transaction; try again")));
            return refused;
        }

        @Override
        public CompletionStage<List<@Nullable Row>> readAndEnd(List<Read> reads, long lockWaitNanos) {
            return guarded(() -> inner.readAndEnd(reads, lockWaitNanos)).whenComplete((rows, failure) -> {
                over = true;
                open.remove(this);
            });
        }

        @Override
        public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
            return committed(() -> inner.commit(mutations, deadlineMillis).thenApply(done -> Optional.empty()))
                    .thenApply(done -> null);
        }

        @Override
        public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
            return committed(() -> inner.commitIf(guarded));
        }

        private CompletionStage<Optional<List<@Nullable Row>>> committed(
                Supplier<CompletionStage<Optional<List<@Nullable Row>>>> work) {
            if (over) {
                return CompletableFuture.failedFuture(ended());
            }
            open.add(this);
            if (server.agenda.chance(server.conditions.storeConflict)) {
                return conflict();
            }
            committing = true;
            over = true;
            boolean breaks = server.agenda.chance(server.conditions.commitLost);
            boolean happens = !breaks || server.agenda.chance(0.5);
            CompletableFuture<Optional<List<@Nullable Row>>> result = new CompletableFuture<>();
            if (breaks) {
                client.schedule(server.agenda.within(20_000_000), () -> broken(result));
            }
            call(server, () -> happens && !broken ? write(work) : dropped(), ErrorCode.CONNECTION_LOST)
                    .whenComplete((rows, failure) -> {
                        if (failure != null) {
                            result.completeExceptionally(FsException.of(failure));
                        } else if (!breaks) {
                            goesOn(rows.isPresent());
                            result.complete(rows);
                        }
                    });
            return result;
        }

        /** Handles a broken connection: the store ends its transactions before the client uses another one. */
        private void broken(CompletableFuture<?> result) {
            broken = true;
            server.process.message(inner::abort);
            result.completeExceptionally(
                    new FsException(ErrorCode.CONNECTION_LOST, "the connection to the store broke under a commit"));
        }

        private void goesOn(boolean rowsFound) {
            if (rowsFound) {
                committing = false;
                over = false;
            }
        }

        /** Makes a change with disk delays before it is durable and before its writer is notified. */
        private CompletionStage<Optional<List<@Nullable Row>>> write(
                Supplier<CompletionStage<Optional<List<@Nullable Row>>>> work) {
            CompletableFuture<Optional<List<@Nullable Row>>> durable = new CompletableFuture<>();
            disk(() -> work.get().whenComplete((rows, failure) -> {
                server.watcher.run();
                if (failure != null || rows.isEmpty()) {
                    open.remove(this);
                }
                disk(() -> {
                    if (failure == null) {
                        durable.complete(rows);
                    } else {
                        durable.completeExceptionally(failure);
                    }
                });
            }));
            return durable;
        }

        private void disk(Runnable then) {
            server.process.schedule(server.agenda.within(server.conditions.diskNanos), then);
        }

        private <T> CompletionStage<T> dropped() {
            open.remove(this);
            inner.abort();
            return new CompletableFuture<>();
        }

        @Override
        public void abort() {
            if (over && (committing || !open.contains(this))) {
                return;
            }
            over = true;
            open.remove(this);
            if (!server.network.send(client, server.process, inner::abort)
                    && server.network.loses(client, server.process)) {
                // The store notices the lost connection.
                server.agenda.after(1_000_000_000L, () -> server.process.message(inner::abort));
            }
        }

        private FsException ended() {
            return new FsException(ErrorCode.STORE_CONFLICT, "the transaction has ended; begin another one");
        }
    }
}
