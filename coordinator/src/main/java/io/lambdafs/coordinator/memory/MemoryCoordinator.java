package io.lambdafs.coordinator.memory;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One instance's session with a {@link MemoryEnsemble}, with hooks for fault injection. Thread-safe. */
public final class MemoryCoordinator implements Coordinator {
    /** Time limit of a call without an answer. */
    public static final Duration CALL_LIMIT = Duration.ofSeconds(2);

    private final MemoryEnsemble ensemble;
    private final Scheduler client;
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final MemoryMailboxes mailboxes = new MemoryMailboxes(this);
    private volatile boolean partitioned;
    private volatile boolean closed;
    private Scheduler.@Nullable Timer expiry;

    MemoryCoordinator(MemoryEnsemble ensemble, Scheduler client) {
        this.ensemble = ensemble;
        this.client = client;
    }

    /**
     * Ends the session as a timeout does: every member it registered becomes absent, and a new session begins silently.
     * A real session ends only after its members' leases; to include that, use {@link #partition}.
     */
    public void loseSession() {
        ensemble.endSession(this);
    }

    /**
     * Partitions this client: calls go unanswered and changes unseen; after the session's timeout its members are
     * absent.
     */
    public synchronized void partition() {
        partitioned = true;
        if (expiry == null) {
            expiry = ensemble.scheduler().schedule(ensemble.session().toNanos(), this::loseSession);
        }
    }

    /** Ends the partition; the watch learns what it missed. */
    public void heal() {
        synchronized (this) {
            partitioned = false;
            if (expiry != null) {
                expiry.cancel();
                expiry = null;
            }
        }
        tell(ensemble.view());
        tellOfLetters();
    }

    @Override
    public void watch(Consumer<View> listener) {
        watches.add(new Watch(listener));
        after(() -> tell(ensemble.view()));
    }

    @Override
    public CompletionStage<View> register(Member self) {
        return call(() -> {
            ensemble.register(self, this);
            return ensemble.view();
        });
    }

    @Override
    public CompletionStage<View> members() {
        return call(ensemble::view);
    }

    @Override
    public CompletionStage<Void> renew(long epoch) {
        return callVoid(() -> ensemble.renew(epoch));
    }

    @Override
    public CompletionStage<Void> refuseRenewals(long epoch) {
        return callVoid(() -> ensemble.refuse(epoch));
    }

    @Override
    public CompletionStage<Void> forget(long epoch) {
        return callVoid(() -> ensemble.forget(epoch));
    }

    @Override
    public Mailboxes mailboxes() {
        return mailboxes;
    }

    @Override
    public void close() {
        closed = true;
        ensemble.close(this);
    }

    void tell(View view) {
        after(() -> {
            if (!partitioned) {
                client.execute(() -> deliver(view));
            }
        });
    }

    /** Called when a letter may have arrived or been answered. */
    void tellOfLetters() {
        after(() -> {
            if (!partitioned) {
                client.execute(mailboxes::look);
            }
        });
    }

    MemoryEnsemble ensemble() {
        return ensemble;
    }

    private void deliver(View view) {
        for (Watch watch : watches) {
            if (!closed) {
                watch.deliver(view);
            }
        }
    }

    /** Delivers views in order, skipping those overtaken. */
    private static final class Watch {
        private final Consumer<View> listener;
        private long seen = -1;

        Watch(Consumer<View> listener) {
            this.listener = listener;
        }

        synchronized void deliver(View view) {
            if (view.version() > seen) {
                seen = view.version();
                listener.accept(view);
            }
        }
    }

    CompletionStage<Void> callVoid(Runnable effect) {
        return this.<@Nullable Void>call(() -> {
                    effect.run();
                    return null;
                })
                .thenAccept(done -> {});
    }

    /**
     * Sends a message to the ensemble, applies its effect and sends a message back; either is lost during a partition.
     */
    private <T extends @Nullable Object> CompletionStage<T> call(Supplier<T> effect) {
        CompletableFuture<T> result = new CompletableFuture<>();
        if (closed) {
            result.completeExceptionally(unavailable("the session is closed"));
            return result;
        }
        Scheduler.Timer limit = client.schedule(
                CALL_LIMIT.toNanos(), () -> result.completeExceptionally(unavailable("it does not answer")));
        result.whenComplete((value, failure) -> limit.cancel());
        after(() -> {
            if (partitioned) {
                return;
            }
            CompletableFuture<T> outcome = new CompletableFuture<>();
            try {
                outcome.complete(effect.get());
            } catch (FsException refused) {
                outcome.completeExceptionally(refused);
            }
            after(() -> answer(outcome, result));
        });
        return result;
    }

    private <T extends @Nullable Object> void answer(CompletableFuture<T> outcome, CompletableFuture<T> result) {
        if (partitioned) {
            return;
        }
        client.execute(() -> outcome.whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        }));
    }

    private void after(Runnable step) {
        long nanos = ensemble.latency().toNanos();
        if (nanos == 0) {
            ensemble.scheduler().execute(step);
        } else {
            ensemble.scheduler().schedule(nanos, step);
        }
    }

    private static FsException unavailable(String why) {
        return FsException.unavailable("the coordinator cannot be reached: " + why + "; try again");
    }
}
