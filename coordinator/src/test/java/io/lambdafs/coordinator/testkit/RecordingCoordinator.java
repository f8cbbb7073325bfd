package io.lambdafs.coordinator.testkit;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.time.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Notes in a journal what is asked of a coordinator and when; can hold back what the watch reports. */
public final class RecordingCoordinator implements Coordinator {
    private final Coordinator inner;
    private final Scheduler clock;
    private final Journal journal;
    private final List<Runnable> heldReports = new ArrayList<>();
    private boolean holding;
    private volatile boolean silent;
    private volatile boolean silentRenewals;

    public RecordingCoordinator(Coordinator inner, Scheduler clock, Journal journal) {
        this.inner = inner;
        this.clock = clock;
        this.journal = journal;
    }

    /** From now on no renewal is answered. */
    public void silenceRenewals() {
        silentRenewals = true;
    }

    /** From now on no call is answered, not even with a failure. */
    public void silence() {
        silent = true;
    }

    public synchronized void holdReports() {
        holding = true;
    }

    public void releaseReports() {
        List<Runnable> due;
        synchronized (this) {
            holding = false;
            due = List.copyOf(heldReports);
            heldReports.clear();
        }
        due.forEach(Runnable::run);
    }

    @Override
    public void watch(Consumer<View> listener) {
        inner.watch(view -> {
            synchronized (this) {
                if (holding) {
                    heldReports.add(() -> listener.accept(view));
                    return;
                }
            }
            listener.accept(view);
        });
    }

    @Override
    public CompletionStage<View> register(Member self) {
        return noted("register", self.epoch(), () -> inner.register(self));
    }

    @Override
    public CompletionStage<View> members() {
        return noted("members", 0, inner::members);
    }

    @Override
    public CompletionStage<Void> renew(long epoch) {
        return noted("renew", epoch, () -> inner.renew(epoch));
    }

    @Override
    public CompletionStage<Void> refuseRenewals(long epoch) {
        return noted("refuse", epoch, () -> inner.refuseRenewals(epoch));
    }

    @Override
    public CompletionStage<Void> forget(long epoch) {
        return noted("forget", epoch, () -> inner.forget(epoch));
    }

    private <T> CompletionStage<T> noted(String call, long epoch, Supplier<CompletionStage<T>> stage) {
        long sentAt = clock.nanoTime();
        journal.note(call, epoch, sentAt, sentAt);
        if (silent || (silentRenewals && call.equals("renew"))) {
            return new CompletableFuture<>();
        }
        return stage.get().whenComplete((value, failure) -> {
            if (failure == null) {
                journal.note(call + " done", epoch, sentAt, clock.nanoTime());
            }
        });
    }

    @Override
    public Mailboxes mailboxes() {
        return inner.mailboxes();
    }

    @Override
    public void close() {
        inner.close();
    }
}
