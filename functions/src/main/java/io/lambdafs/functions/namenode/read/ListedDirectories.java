package io.lambdafs.functions.namenode.read;

import io.lambdafs.functions.listing.PageBytes;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects the outcomes of the directories that one request lists, in order, up to its limit of entries and the bytes
 * of a reply. Not thread-safe.
 */
final class ListedDirectories {
    /** Maximum concurrent listings: what is read beyond the limit is dropped. */
    static final int AT_ONCE = 16;

    private final ReadOperation.ListEach operation;
    private final List<Reply> outcomes = new ArrayList<>();
    private int entriesLeft;
    private int bytesLeft = PageBytes.MAX;
    private boolean full;

    ListedDirectories(ReadOperation.ListEach operation) {
        this.operation = operation;
        entriesLeft = operation.limit();
    }

    /** Returns the next directory; null after the last, or if no more fits. */
    @Nullable
    FsPath next() {
        int at = outcomes.size();
        return full || at == operation.paths().size() ? null : operation.paths().get(at);
    }

    /** Adds the outcome of the next directory if it fits; the first one always does. */
    void add(Reply outcome) {
        entriesLeft -= outcome instanceof Reply.Page page ? page.entries().size() : 0;
        bytesLeft -= PageBytes.of(outcome);
        full |= !outcomes.isEmpty() && (entriesLeft < 0 || bytesLeft < 0);
        if (!full) {
            outcomes.add(outcome);
        }
    }

    Reply reply() {
        return new Reply.Outcomes(outcomes);
    }

    /**
     * Lists the directories, several concurrently. If one can be neither listed nor refused now, the whole request fails
     * with its error.
     *
     * @param perform executes one listing to its reply
     */
    CompletionStage<Reply> readAll(Function<ReadOperation<?>, CompletionStage<Reply>> perform) {
        return Loop.whileTrue(() -> readSome(perform)).thenApply(done -> reply());
    }

    /** Takes one step; completes with whether there may be more. */
    private CompletionStage<Boolean> readSome(Function<ReadOperation<?>, CompletionStage<Reply>> perform) {
        int from = outcomes.size();
        int to = Math.min(from + AT_ONCE, operation.paths().size());
        List<FsPath> some = operation.paths().subList(from, to);
        Reply[] replies = new Reply[some.size()];
        CompletableFuture<?>[] reads = new CompletableFuture<?>[some.size()];
        for (int i = 0; i < reads.length; i++) {
            int at = i;
            reads[i] = perform.apply(operation.page(some.get(i)))
                    .thenAccept(reply -> replies[at] = reply)
                    .toCompletableFuture();
        }
        return CompletableFuture.allOf(reads).thenApply(done -> {
            for (int i = 0; i < replies.length; i++) {
                add(Reply.Outcomes.settled(some.get(i), replies[i]));
            }
            return next() != null;
        });
    }
}
