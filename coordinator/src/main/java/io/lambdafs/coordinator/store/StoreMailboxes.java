package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Mailboxes as rows of {@link io.lambdafs.store.Schema#LETTERS}, found by polling: the addressee scans its mailbox, the
 * sender reads the answers it awaits. A sender holds a shared lock on the addressee's member row, so no letter arrives
 * after the mailbox has been emptied for good. Answered letters of a crashed sender are removed by the addressee.
 * Thread-safe.
 */
final class StoreMailboxes implements Mailboxes {
    private final Transactions transactions;
    private final Scheduler scheduler;
    private final Times times;
    private final AnswerPoll answers;
    private final Map<Long, BoxPoll> boxes = new ConcurrentHashMap<>();
    private volatile boolean closed;

    StoreMailboxes(Transactions transactions, Scheduler scheduler, Times times) {
        this.transactions = transactions;
        this.scheduler = scheduler;
        this.times = times;
        this.answers = new AnswerPoll(transactions, scheduler, times);
    }

    @Override
    public CompletionStage<Void> post(Letter letter, byte[] content) {
        return transactions.change(0, List.of(Read.shared(MemberRow.key(letter.box()))), rows -> {
            if (rows.get(0) == null) {
                throw FsException.unavailable("no member has the epoch " + letter.box());
            }
            return List.of(new Mutation.Put(LetterRow.posted(letter, content)));
        });
    }

    @Override
    public CompletionStage<byte[]> answer(Letter letter) {
        return answers.await(letter);
    }

    @Override
    public void remove(Letter letter) {
        answers.giveUp(letter);
        delete(letter);
    }

    private void delete(Letter letter) {
        // Under a lock, so that an answer being written does not restore it.
        transactions.change(
                0,
                List.of(Read.exclusive(LetterRow.key(letter))),
                rows -> rows.get(0) == null ? List.of() : List.of(new Mutation.Delete(LetterRow.key(letter))));
    }

    @Override
    public void follow(Set<Long> own, Reader reader) {
        boxes.entrySet().removeIf(known -> {
            if (own.contains(known.getKey())) {
                return false;
            }
            known.getValue().close();
            return true;
        });
        for (Long box : own) {
            if (!closed && !boxes.containsKey(box)) {
                BoxPoll fresh =
                        new BoxPoll(box, reader, this::delete, new BoxPoll.Context(transactions, scheduler, times));
                if (boxes.putIfAbsent(box, fresh) == null) {
                    fresh.look();
                }
            }
        }
    }

    @Override
    public CompletionStage<Void> reply(Letter letter, byte[] answer) {
        return transactions.change(
                0,
                List.of(Read.exclusive(LetterRow.key(letter))),
                rows -> rows.get(0) == null
                        ? List.of()
                        : List.of(new Mutation.Put(LetterRow.answered(letter, answer))));
    }

    void close() {
        closed = true;
        boxes.values().forEach(BoxPoll::close);
        answers.close();
    }
}
