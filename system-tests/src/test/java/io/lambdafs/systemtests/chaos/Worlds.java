package io.lambdafs.systemtests.chaos;

import io.lambdafs.client.ClientConfig;
import io.lambdafs.client.LambdaFs;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Several worlds at a time, each followed by a new one, until it is stopped; at most 40 calls are under way. Thread-safe. */
final class Worlds implements AutoCloseable {
    private static final int AT_A_TIME = 8;
    private static final int MIN_CLIENTS = 3;
    private static final int MAX_CLIENTS = 5;
    private static final int MIN_CALLS = 150;
    private static final int MAX_CALLS = 250;

    private final List<LambdaFs> clients = new ArrayList<>();
    private final List<World> all = new ArrayList<>();
    private final History history;
    private final SplittableRandom random;
    private final Executor executor;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<CompletableFuture<Void>> lanes = new ArrayList<>();

    Worlds(ClientConfig config, History history, long seed, Executor executor) {
        this.history = history;
        this.random = new SplittableRandom(seed);
        this.executor = executor;
        for (int i = 0; i < AT_A_TIME * MAX_CLIENTS; i++) {
            clients.add(LambdaFs.open(config));
        }
    }

    /** Has an instance of every deployment connected. */
    CompletionStage<Void> warmUp() {
        return clients.get(0).warmUp();
    }

    void start() {
        for (int i = 0; i < AT_A_TIME; i++) {
            CompletableFuture<Void> lane = new CompletableFuture<>();
            lanes.add(lane);
            next(i, lane);
        }
    }

    private void next(int lane, CompletableFuture<Void> ended) {
        if (stopped.get()) {
            ended.complete(null);
            return;
        }
        World world;
        SplittableRandom own;
        LambdaFs[] users;
        synchronized (all) {
            own = random.split();
            world = new World(all.size(), own.nextInt(MIN_CALLS, MAX_CALLS + 1), history);
            all.add(world);
            int count = own.nextInt(MIN_CLIENTS, MAX_CLIENTS + 1);
            users = clients.subList(lane * MAX_CLIENTS, lane * MAX_CLIENTS + count)
                    .toArray(LambdaFs[]::new);
        }
        world.run(users, own)
                .whenCompleteAsync(
                        (done, error) -> {
                            if (error == null) {
                                next(lane, ended);
                            } else {
                                ended.completeExceptionally(error);
                            }
                        },
                        executor);
    }

    /** Begins no more worlds; completes when those under way have ended. */
    CompletionStage<Void> stop() {
        stopped.set(true);
        return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new));
    }

    int count() {
        synchronized (all) {
            return all.size();
        }
    }

    /** Reads every world once more, as many at a time as there are clients. */
    CompletionStage<Void> lookThrough() {
        List<World> worlds;
        synchronized (all) {
            worlds = List.copyOf(all);
        }
        CompletableFuture<?>[] parts = new CompletableFuture<?>[clients.size()];
        for (int i = 0; i < parts.length; i++) {
            CompletionStage<Void> part = CompletableFuture.completedFuture(null);
            for (int world = i; world < worlds.size(); world += parts.length) {
                World each = worlds.get(world);
                LambdaFs client = clients.get(i);
                part = part.thenCompose(before -> each.lookThrough(client));
            }
            parts[i] = part.toCompletableFuture();
        }
        return CompletableFuture.allOf(parts);
    }

    @Override
    public void close() {
        stopped.set(true);
        clients.forEach(LambdaFs::close);
    }
}
