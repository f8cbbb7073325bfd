package io.lambdafs.client.call;

import io.lambdafs.model.FsException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Wakes an instance of one deployment, again and again as long as {@link Retries} says so. Its steps follow each other. */
public final class WarmUp {
    private final Calls client;
    private final int deployment;
    private final long startNanos;
    private final CompletableFuture<@Nullable Void> awake = new CompletableFuture<>();
    private int attempts;

    private WarmUp(Calls client, int deployment) {
        this.client = client;
        this.deployment = deployment;
        this.startNanos = client.scheduler().nanoTime();
    }

    /** Completes when the deployment has an instance; fails as its last attempt did. */
    public static CompletionStage<@Nullable Void> of(Calls client, int deployment) {
        WarmUp warmUp = new WarmUp(client, deployment);
        warmUp.attempt();
        return warmUp.awake;
    }

    private void attempt() {
        attempts++;
        CompletionStage<Void> woken;
        try {
            woken = client.transport().wake(deployment);
        } catch (FsException full) {
            // Timers of this process are at their limit.
            awake.completeExceptionally(full);
            return;
        }
        woken.whenComplete((done, thrown) -> {
            if (thrown == null) {
                awake.complete(null);
            } else {
                failed(FsException.of(thrown));
            }
        });
    }

    private void failed(FsException why) {
        long elapsed = client.scheduler().nanoTime() - startNanos;
        Retries.Progress progress =
                new Retries.Progress(attempts, elapsed, client.transport().hasContact());
        long delay = client.isClosed() ? Retries.GIVE_UP : client.retries().delayAfter(why.code(), progress);
        if (delay == Retries.GIVE_UP) {
            awake.completeExceptionally(why);
            return;
        }
        try {
            client.scheduler().schedule(delay, this::attempt);
        } catch (FsException full) {
            awake.completeExceptionally(why);
        }
    }
}
