package io.lambdafs.functions.namenode.read;

import io.lambdafs.functions.cache.Listing;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.listing.PageSlice;
import io.lambdafs.functions.metrics.Telemetry.Listed;
import io.lambdafs.functions.namenode.NameNodeContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers pages of directories at an instance that may cache their listings. A page reflects one moment: names that the
 * cached listing does not know, and the times and counts of child directories, are read at one moment, and nothing that
 * the listing knows may have been invalidated since before it was looked at. Thread-safe.
 */
final class ListingPages {
    /** A page that is disturbed as often is read from the store. */
    private static final int TRIES = 5;

    private final MetadataStore store;
    private final PathTrie trie;
    private final ListingFills fills;
    private final ListingReads reads;

    ListingPages(NameNodeContext context, ListingReads reads) {
        this.store = context.store();
        this.trie = context.trie();
        this.fills = new ListingFills(context);
        this.reads = reads;
    }

    /** A page, and where it came from. */
    record Answer(Reply reply, Listed from) {}

    CompletionStage<Answer> page(Call call, ReadOperation.ListPage operation, INode directory) {
        return new Asked(call, operation, directory).attempt();
    }

    /** A page that is asked for; its methods run in sequence. */
    private final class Asked {
        private final Call call;
        private final ReadOperation.ListPage operation;
        private final INode directory;
        private int tries;
        private boolean filled;

        Asked(Call call, ReadOperation.ListPage operation, INode directory) {
            this.call = call;
            this.operation = operation;
            this.directory = directory;
        }

        CompletionStage<Answer> attempt() {
            if (++tries > TRIES) {
                return fromStore();
            }
            // Taken first: what is invalidated from here on is noticed.
            Ticket ticket = call.ticket(trie);
            Listing listing = fills.cached(operation.path(), directory);
            if (listing == null) {
                return fill();
            }
            if (listing.isComplete()) {
                return answer(listing, ticket, ListingFills.Names.NONE);
            }
            return fills.repair(call, operation.path(), directory, listing, ticket)
                    .thenCompose(names -> {
                        Listing complete = names.complete(listing);
                        return complete == null ? fromStore() : answer(complete, ticket, names);
                    });
        }

        private CompletionStage<Answer> fill() {
            return fills.fill(call, operation.path(), directory, () -> filled = true)
                    .thenCompose(cached -> cached ? attempt() : fromStore());
        }

        private CompletionStage<Answer> fromStore() {
            return reads.page(call, operation, directory).thenApply(reply -> new Answer(reply, Listed.PAGE));
        }

        private CompletionStage<Answer> answer(Listing listing, Ticket ticket, ListingFills.Names names) {
            PageSlice slice = PageSlice.of(listing, operation);
            List<Read> stats = slice.stats();
            if (stats.isEmpty()) {
                boolean valid = names.reads().isEmpty() || trie.isUntouched(ticket, operation.path());
                return valid ? answered(slice.page(List.of()), names) : attempt();
            }
            List<Read> together = new ArrayList<>(stats);
            together.addAll(names.reads());
            return call.begin(store).readAndEnd(together, 0).thenCompose(rows -> {
                boolean valid = rows.subList(stats.size(), rows.size()).equals(names.rows())
                        && trie.isUntouched(ticket, operation.path());
                return valid ? answered(slice.page(rows.subList(0, stats.size())), names) : attempt();
            });
        }

        private CompletionStage<Answer> answered(Reply page, ListingFills.Names names) {
            Listed from = filled ? Listed.FILLED : names.reads().isEmpty() ? Listed.CACHE : Listed.REPAIRED;
            return CompletableFuture.completedFuture(new Answer(page, from));
        }
    }
}
