package io.lambdafs.hammer.workers;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells the master once a second that this process lives, until there are reports of the load: walking a tree, an import
 * that stalls, and waiting for the others may take longer than the silence after which a worker is lost. Thread-safe.
 */
final class Pulse implements AutoCloseable {
    private final Wire wire;
    private final CountDownLatch end = new CountDownLatch(1);

    Pulse(Wire wire) {
        this.wire = wire;
        Thread thread = new Thread(this::beat, "worker-pulse");
        thread.setDaemon(true);
        thread.start();
    }

    private void beat() {
        try {
            while (!end.await(1, TimeUnit.SECONDS)) {
                wire.send(Wire.message("alive"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The worker finds out by itself, when it next sends or receives.
            return;
        }
    }

    @Override
    public void close() {
        end.countDown();
    }
}
