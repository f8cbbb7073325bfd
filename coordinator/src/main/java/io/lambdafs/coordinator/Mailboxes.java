package io.lambdafs.coordinator;

import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A box for each member, kept where the membership is: letters go through it between instances that cannot reach each other. A box
 * is there as long as its member is known, and goes with it, and its letters too. Letters whose sender has crashed are removed, at
 * the latest with their box. Thread-safe; never blocks.
 */
public interface Mailboxes {
    /** Longest content of a letter, and of an answer, in bytes; a ZooKeeper node may have sixteen times that. */
    int MAX_BYTES = 64 << 10;

    /**
     * Names a letter.
     *
     * @param box epoch of the member that it is for
     * @param name chosen by the sender, at most 64 letters, digits and dashes; used once
     */
    record Letter(long box, String name) {}

    /** Takes letters out of boxes. Never blocks. */
    interface Reader {
        /** A letter has come, or has been there. The same one may be handed over more than once. */
        void read(Letter letter, byte[] content);
    }

    /**
     * Puts a letter into a box.
     *
     * @return completes when it is there; fails with {@code UNAVAILABLE} when there is no such box, or when it cannot be reached
     */
    CompletionStage<Void> post(Letter letter, byte[] content);

    /** Completes with the answer to a letter that was posted. It never fails; after {@link #remove} it need not complete. */
    CompletionStage<byte[]> answer(Letter letter);

    /** Takes away a letter that was posted, in the background. Its sender does that once it awaits no answer any more. */
    void remove(Letter letter);

    /** Says which boxes are this instance's, and hands over what is in them from now on; those of before are left alone. */
    void follow(Set<Long> boxes, Reader reader);

    /** Answers a letter; does nothing where it has been removed. */
    CompletionStage<Void> reply(Letter letter, byte[] answer);
}
