package io.lambdafs.coordinator.relayed;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.message.Message;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends INVs between instances through {@link Mailboxes}. A member's mailbox is keyed by its epoch; an instance reads
 * those of all its epochs still in the membership, and answers under its current one. A relay cannot tell a dead member
 * from a slow one: unanswered messages time out. Thread-safe.
 */
public final class RelayedChannel implements InvalidationChannel {
    private final String instance;
    private final Mailboxes mailboxes;
    private final Scheduler scheduler;
    private final Map<Long, Outbox> outboxes = new ConcurrentHashMap<>();
    private final String prefix;
    private final AtomicLong letters = new AtomicLong();
    private volatile @Nullable Inbox inbox;
    /** Version of the newest view. */
    private long latest;

    private volatile boolean closed;

    /**
     * Creates a channel; does not own the mailboxes.
     *
     * @param instance the platform's id of the instance, as in its {@link Member}
     */
    public RelayedChannel(String instance, Mailboxes mailboxes, Scheduler scheduler) {
        this.instance = instance;
        this.mailboxes = mailboxes;
        this.scheduler = scheduler;
        this.prefix = Long.toHexString(scheduler.random().nextLong()) + "-";
    }

    /** {@inheritDoc} No address is needed: port 0. */
    @Override
    public CompletionStage<Endpoint> open(Receiver receiver) {
        inbox = new Inbox(mailboxes, receiver);
        return CompletableFuture.completedFuture(new Endpoint("", 0));
    }

    @Override
    public CompletionStage<Acknowledgement> invalidate(Member target, Invalidation invalidation, long timeoutNanos) {
        // A draining message would delay the answers to the rest of its letter.
        return send(target, invalidation, !invalidation.prefixes().isEmpty(), timeoutNanos);
    }

    @Override
    public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
        return send(target, greeting, false, timeoutNanos);
    }

    private CompletionStage<Acknowledgement> send(Member target, Message message, boolean alone, long timeoutNanos) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    FsException.unavailable("this instance has shut down its invalidation channel"));
        }
        return outboxes.computeIfAbsent(
                        target.epoch(),
                        box -> new Outbox(box, mailboxes, scheduler, () -> prefix + letters.incrementAndGet()))
                .send(Letters.write(message), alone, timeoutNanos);
    }

    /** {@inheritDoc} Views are applied sequentially; older ones are ignored. */
    @Override
    public synchronized void retain(View view) {
        Inbox reader = inbox;
        if (view.version() < latest || reader == null || closed) {
            return;
        }
        latest = view.version();
        outboxes.keySet().retainAll(view.members().keySet());
        Set<Long> own = new TreeSet<>();
        for (Member member : view.members().values()) {
            if (member.instance().equals(instance)) {
                own.add(member.epoch());
            }
        }
        mailboxes.follow(own, reader);
    }

    @Override
    public synchronized void close() {
        closed = true;
        Inbox reader = inbox;
        if (reader != null) {
            mailboxes.follow(Set.of(), reader);
        }
        outboxes.clear();
    }
}
