package io.lambdafs.functions.namenode;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Loop;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
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
        List<CompletableFuture<Reply>> some = new ArrayList<>();
        for (FsPath path : operation.paths().subList(from, to)) {
            some.add(perform.apply(operation.page(path)).toCompletableFuture());
        }
        return CompletableFuture.allOf(some.toArray(CompletableFuture[]::new)).thenApply(done -> {
            for (int i = 0; i < some.size(); i++) {
                add(Reply.Outcomes.settled(
                        operation.paths().get(from + i), some.get(i).join()));
            }
            return next() != null;
        });
    }
}
