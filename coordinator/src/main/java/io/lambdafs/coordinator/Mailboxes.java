package io.lambdafs.coordinator;

import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A mailbox per member, kept by the coordinator, which relays messages (letters) between instances that cannot reach
 * each other. A mailbox exists as long as its member and is removed with it, letters included. Letters of a crashed
 * sender are removed with the mailbox at the latest. Thread-safe; never blocks.
 */
public interface Mailboxes {
    /** Maximum content of a letter or an answer, in bytes; a sixteenth of what a ZooKeeper node can hold. */
    int MAX_BYTES = 64 << 10;

    /**
     * Names a letter.
     *
     * @param box epoch of the addressee
     * @param name chosen by the sender, at most 64 letters, digits and dashes; used once
     */
    record Letter(long box, String name) {}

    /** Receives letters. Never blocks. */
    interface Reader {
        /** Called with a new or already present letter, possibly more than once. */
        void read(Letter letter, byte[] content);
    }

    /**
     * Posts a letter.
     *
     * @return completes when posted; fails with {@code UNAVAILABLE} if the mailbox does not exist or cannot be reached
     */
    CompletionStage<Void> post(Letter letter, byte[] content);

    /** Completes with the answer to a posted letter. Never fails; after {@link #remove} it need not complete. */
    CompletionStage<byte[]> answer(Letter letter);

    /** Removes a posted letter in the background, once its sender no longer awaits an answer. */
    void remove(Letter letter);

    /** Sets which mailboxes this instance reads from now on; those set before are no longer read. */
    void follow(Set<Long> boxes, Reader reader);

    /** Answers a letter; does nothing if it has been removed. */
    CompletionStage<Void> reply(Letter letter, byte[] answer);
}
