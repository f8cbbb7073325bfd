package io.lambdafs.systemtests.violations.client;

import java.util.concurrent.CompletableFuture;

/** The one class that may wait. */
public final class BlockingLambdaFs {
    /** Waits. */
    public String read(CompletableFuture<String> reply) {
        return reply.join();
    }
}
