package io.lambdafs.hammer.fleet;

import io.lambdafs.client.config.Routing;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A client's choice among servers that can all answer, as HopsFS's clients offer. */
enum ServerChoice {
    RANDOM {
        @Override
        Routing routing() {
            return (placement, operation) -> ThreadLocalRandom.current().nextInt(placement.deployments());
        }
    },
    ROUND_ROBIN {
        @Override
        Routing routing() {
            AtomicInteger next = new AtomicInteger();
            return (placement, operation) -> Math.floorMod(next.getAndIncrement(), placement.deployments());
        }
    },
    /**
     * Simulates {@value #CLIENTS} clients, each of which keeps the server it has drawn; they take operations in turn.
     */
    STICKY {
        @Override
        Routing routing() {
            int[] drawn = new Random(SEED).ints(CLIENTS, 0, Integer.MAX_VALUE).toArray();
            AtomicInteger next = new AtomicInteger();
            return (placement, operation) ->
                    drawn[Math.floorMod(next.getAndIncrement(), CLIENTS)] % placement.deployments();
        }
    };

    static final int CLIENTS = 16;
    private static final long SEED = 1;

    /** Creates the routing of a new client. */
    abstract Routing routing();
}
