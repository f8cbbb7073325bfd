package io.lambdafs.systemtests.violations.coordinator;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits in every way that the rule names. */
public final class CoreThatBlocks {
    private boolean done;

    String waitForReply(CompletableFuture<String> reply) {
        return reply.join();
    }

    String waitForResult(Future<String> result) throws ExecutionException, InterruptedException {
        return result.get();
    }

    void pause() throws InterruptedException {
        Thread.sleep(1);
    }

    synchronized void waitForNotify() throws InterruptedException {
        while (!done) {
            wait();
        }
    }

    synchronized void finish() {
        done = true;
        notifyAll();
    }

    void waitForLatch(CountDownLatch latch) throws InterruptedException {
        latch.await();
    }
}
