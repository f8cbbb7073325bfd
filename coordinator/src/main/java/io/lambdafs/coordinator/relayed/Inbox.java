package io.lambdafs.coordinator.relayed;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads letters, dispatches their messages, and answers a letter when all are handled. A duplicate during handling is
 * ignored; a later duplicate is handled again, which is harmless. Thread-safe; never blocks.
 */
final class Inbox implements Mailboxes.Reader {
    private static final Logger log = LoggerFactory.getLogger(Inbox.class);

    private final Mailboxes mailboxes;
    private final InvalidationChannel.Receiver receiver;
    /** Letters being handled; bounded by the senders' limits on unanswered letters. */
    private final Set<Mailboxes.Letter> handling = ConcurrentHashMap.newKeySet();

    Inbox(Mailboxes mailboxes, InvalidationChannel.Receiver receiver) {
        this.mailboxes = mailboxes;
        this.receiver = receiver;
    }

    @Override
    public void read(Mailboxes.Letter letter, byte[] content) {
        if (!handling.add(letter)) {
            return;
        }
        List<CompletableFuture<@Nullable Acknowledgement>> acks = new ArrayList<>();
        try {
            Letters.readBatch(content).forEach(message -> acks.add(handle(message)));
        } catch (FsException unreadable) {
            log.warn("Letter {} cannot be read: {}", letter, unreadable.getMessage());
            handling.remove(letter);
            return;
        }
        CompletableFuture.allOf(acks.toArray(new CompletableFuture<?>[0]))
                .thenCompose(handled -> mailboxes.reply(letter, Letters.answer(values(acks))))
                .whenComplete((replied, failure) -> handling.remove(letter));
    }

    private CompletableFuture<@Nullable Acknowledgement> handle(Message message) {
        CompletableFuture<@Nullable Acknowledgement> ack = new CompletableFuture<>();
        if (message instanceof Invalidation invalidation) {
            receiver.invalidate(invalidation).whenComplete((answer, failure) -> ack.complete(answer));
        } else if (message instanceof Greeting greeting) {
            receiver.greet(greeting).whenComplete((answer, failure) -> ack.complete(answer));
        } else {
            ack.complete(null);
        }
        return ack;
    }

    private static List<@Nullable Acknowledgement> values(List<CompletableFuture<@Nullable Acknowledgement>> done) {
        List<@Nullable Acknowledgement> values = new ArrayList<>();
        for (CompletableFuture<@Nullable Acknowledgement> each : done) {
            values.add(each.getNow(null));
        }
        return values;
    }
}
