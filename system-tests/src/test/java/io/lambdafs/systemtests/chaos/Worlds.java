package io.lambdafs.systemtests.chaos;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Several worlds at a time, each followed by a new one, until it is stopped; at most 40 calls are under way. One
 * client of each world is in a process of its own. Thread-safe. */
final class Worlds implements AutoCloseable {
    /** So many clients are asked of the process of their own. */
    static final int AT_A_TIME = 8;

    /** Which of a world's clients is in that process. */
    private static final int APART = 1;

    private static final int MIN_CLIENTS = 3;
    private static final int MAX_CLIENTS = 5;
    private static final int MIN_CALLS = 150;
    private static final int MAX_CALLS = 250;

    private final List<LambdaFs> own = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final List<World> all = new ArrayList<>();
    private final History history;
    private final SplittableRandom random;
    private final Executor executor;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<CompletableFuture<Void>> lanes = new ArrayList<>();

    /** @param apart has a client for each world */
    Worlds(ClientConfig config, ClientProcess apart, History history, long seed, Executor executor) {
        this.history = history;
        this.random = new SplittableRandom(seed);
        this.executor = executor;
        for (int i = 0; i < AT_A_TIME * MAX_CLIENTS; i++) {
            if (i % MAX_CLIENTS == APART) {
                clients.add(apart.client(i / MAX_CLIENTS));
            } else {
                LambdaFs client = LambdaFs.open(config);
                own.add(client);
                clients.add(Client.of(client));
            }
        }
    }

    /** Has an instance of every deployment connected. */
    CompletionStage<Void> warmUp() {
        return own.get(0).warmUp();
    }

    void start() {
        for (int i = 0; i < AT_A_TIME; i++) {
            CompletableFuture<Void> lane = new CompletableFuture<>();
            lanes.add(lane);
            next(i, lane);
        }
    }

    private void next(int lane, CompletableFuture<Void> ended) {
        World world;
        SplittableRandom choices;
        Client[] users;
        synchronized (all) {
            if (stopped.get()) {
                ended.complete(null);
                return;
            }
            choices = random.split();
            world = new World(all.size(), choices.nextInt(MIN_CALLS, MAX_CALLS + 1), history);
            all.add(world);
            int count = choices.nextInt(MIN_CLIENTS, MAX_CLIENTS + 1);
            users = clients.subList(lane * MAX_CLIENTS, lane * MAX_CLIENTS + count)
                    .toArray(Client[]::new);
        }
        world.run(users, choices)
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

    /** Retires every world, and begins no more; completes when the calls under way have ended. */
    CompletionStage<Void> stop() {
        synchronized (all) {
            stopped.set(true);
            all.forEach(World::retire);
        }
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
                Client client = clients.get(i);
                part = part.thenCompose(before -> each.lookThrough(client));
            }
            parts[i] = part.toCompletableFuture();
        }
        return CompletableFuture.allOf(parts);
    }

    @Override
    public void close() {
        stopped.set(true);
        own.forEach(LambdaFs::close);
    }
}
