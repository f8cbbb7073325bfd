package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.SessionListener;
import io.lambdafs.model.time.Stages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Handles incoming INVs and greetings. An INV is acknowledged when drained, or after a quarter of the ACK wait as not
 * yet drained, so that a slow drain does not look like a dead instance; a greeting likewise, when the changes begun
 * without the newcomer have ended. Thread-safe; never blocks.
 */
final class Reception implements InvalidationChannel.Receiver {
    private final SessionContext context;
    private final Lease lease;
    private final SessionListener listener;
    private final Consumer<Member> newcomers;

    Reception(SessionContext context, Lease lease, SessionListener listener, Consumer<Member> newcomers) {
        this.context = context;
        this.lease = lease;
        this.listener = listener;
        this.newcomers = newcomers;
    }

    @Override
    public CompletionStage<Acknowledgement> invalidate(Invalidation invalidation) {
        return acknowledge(() -> listener.invalidate(invalidation));
    }

    @Override
    public CompletionStage<Acknowledgement> greet(Greeting greeting) {
        // In the view before the ACK: from here on every round of this instance includes the newcomer.
        newcomers.accept(greeting.newcomer());
        return acknowledge(listener::greeted);
    }

    private CompletionStage<Acknowledgement> acknowledge(Supplier<CompletionStage<Void>> work) {
        // Read first: items invalidated afterwards were cached under this epoch or a later one.
        long epoch = lease.current();
        CompletableFuture<Acknowledgement> answer = new CompletableFuture<>();
        Stages.copy(Stages.call(work).thenApply(drained -> new Acknowledgement(epoch, true)), answer);
        if (!answer.isDone()) {
            var timer = context.scheduler()
                    .schedule(
                            context.times().ackWait().toNanos() / 4,
                            () -> answer.complete(new Acknowledgement(epoch, false)));
            answer.whenComplete((ack, failure) -> timer.cancel());
        }
        return answer;
    }
}
