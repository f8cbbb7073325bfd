package io.lambdafs.hammer.fleet;

import io.lambdafs.client.config.Routing;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** How a client chooses a server where any of them answers as well: HopsFS's clients have these. */
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
    /** {@value #CLIENTS} clients, each of which has drawn a server for good; they take operations in turn. */
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

    /** One for a new client. */
    abstract Routing routing();
}
