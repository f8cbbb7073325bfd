package io.lambdafs.client.call;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wakes an instance of one deployment, retrying as {@link Retries} decides. A wake-up carries no request, so its reply
 * cannot reveal a changed number of deployments: after a failure, every second attempt sends a request instead
 * (PROTOCOL: G2). The steps are sequential.
 */
public final class WarmUp {
    private final Calls client;
    private final int deployment;
    private final Supplier<CompletionStage<?>> question;
    private final long startNanos;
    private final CompletableFuture<@Nullable Void> awake = new CompletableFuture<>();
    private int attempts;

    private WarmUp(Calls client, int deployment, Supplier<CompletionStage<?>> question) {
        this.client = client;
        this.deployment = deployment;
        this.question = question;
        this.startNanos = client.scheduler().nanoTime();
    }

    /**
     * Completes when the deployment has an instance, or no longer exists; fails as its last attempt did.
     *
     * @param question a request that any instance answers
     */
    public static CompletionStage<@Nullable Void> of(
            Calls client, int deployment, Supplier<CompletionStage<?>> question) {
        WarmUp warmUp = new WarmUp(client, deployment, question);
        warmUp.attempt();
        return warmUp.awake;
    }

    private void attempt() {
        if (deployment >= client.transport().placement().deployments()) {
            awake.complete(null);
            return;
        }
        attempts++;
        CompletionStage<Void> woken;
        try {
            woken = client.transport().wake(deployment);
        } catch (FsException full) {
            // This process has no timers left.
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
            boolean asks = why.code() == ErrorCode.UNAVAILABLE && deployment > 0 && attempts % 2 == 1;
            client.scheduler().schedule(delay, asks ? this::ask : this::attempt);
        } catch (FsException full) {
            awake.completeExceptionally(why);
        }
    }

    private void ask() {
        question.get().whenComplete((answer, failure) -> attempt());
    }
}
