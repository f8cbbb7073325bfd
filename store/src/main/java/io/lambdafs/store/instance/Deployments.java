package io.lambdafs.store.instance;

import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Loop;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.format.FormatLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The number of deployments of a file system and its generation (PROTOCOL: G1), stored as two settings. The transaction
 * that takes an epoch reads both under shared locks, so each epoch belongs to one generation. Stateless.
 */
public final class Deployments {
    /** The setting with the number of deployments. */
    public static final Key NUMBER = Schema.SETTINGS.key("deployments");
    /** The setting with the generation; absent in the first generation. */
    public static final Key GENERATION = Schema.SETTINGS.key("generation");

    private static final int PAGE = 1_000;

    private Deployments() {}

    /** An epoch taken under an earlier generation and not yet fenced. */
    public record Earlier(long epoch, long deployment, long generation) {}

    /**
     * Returns the reads of a transaction that takes an epoch: {@link #NUMBER} and {@link #GENERATION}, whose rows
     * {@link #of} parses.
     */
    public static List<Read> shared() {
        return List.of(Read.shared(NUMBER), Read.shared(GENERATION));
    }

    /** Parses the two rows; empty if the store is not formatted. */
    public static Optional<Placement> of(@Nullable Row number, @Nullable Row generation) {
        return number == null
                ? Optional.empty()
                : Optional.of(new Placement(
                        generation == null ? Placement.FIRST_GENERATION : Integer.parseInt(generation.string(0)),
                        Integer.parseInt(number.string(0))));
    }

    /** Reads the current placement without locks; empty if the store is not formatted. */
    public static CompletionStage<Optional<Placement>> read(MetadataStore store) {
        return store.begin(0)
                .readAndEnd(List.of(Read.unlocked(NUMBER), Read.unlocked(GENERATION)), 0)
                .thenApply(rows -> of(rows.get(0), rows.get(1)));
    }

    /**
     * Changes the number of deployments and raises the generation; does nothing if the number is the same. Once this
     * completes, no instance takes an epoch of an earlier generation. May be repeated.
     *
     * @return the new placement; fails {@code UNSUPPORTED} if the store's format level is too low or newer than this
     *     build, {@code INVALID_ARGUMENT} if the store is not formatted
     */
    public static CompletionStage<Placement> change(MetadataStore store, int deployments) {
        StoreTransaction transaction = store.begin(0);
        return transaction
                .read(List.of(Read.shared(FormatLevel.KEY), Read.exclusive(NUMBER), Read.exclusive(GENERATION)), 0)
                .thenCompose(rows -> {
                    Placement before = of(rows.get(1), rows.get(2)).orElseThrow(Deployments::notFormatted);
                    FormatLevel.of(rows.get(0));
                    if (before.deployments() == deployments) {
                        return transaction.commit(List.of(), Long.MAX_VALUE).thenApply(done -> before);
                    }
                    FormatLevel.GENERATIONS.check(rows.get(0), "the number of deployments cannot be changed");
                    Placement after = new Placement(before.generation() + 1, deployments);
                    return transaction.commit(mutations(after), Long.MAX_VALUE).thenApply(done -> after);
                })
                .whenComplete((placement, failure) -> transaction.abort());
    }

    private static List<Mutation> mutations(Placement after) {
        return List.of(
                new Mutation.Put(new Row(NUMBER, Integer.toString(after.deployments()))),
                new Mutation.Put(new Row(GENERATION, Integer.toString(after.generation()))));
    }

    private static FsException notFormatted() {
        return FsException.invalidArgument(
                "the store holds no file system: start the cluster, which formats an empty store");
    }

    /**
     * Lists the epochs of earlier generations than a placement's: instances of that one serve only once there are none.
     */
    public static CompletionStage<List<Earlier>> earlier(MetadataStore store, Placement placement) {
        StoreTransaction transaction = store.begin(0);
        List<Earlier> found = new ArrayList<>();
        Long[] last = {null};
        return Loop.whileTrue(() -> transaction
                        .scan(new Scan(Schema.EPOCHS, 0L, last[0], PAGE))
                        .thenApply(page -> {
                            for (Row row : page) {
                                last[0] = row.key().int64(1);
                                if (row.int64(1) < placement.generation()) {
                                    found.add(new Earlier(last[0], row.int64(0), row.int64(1)));
                                }
                            }
                            return page.size() == PAGE;
                        }))
                .whenComplete((done, failure) -> transaction.abort())
                .thenApply(done -> List.copyOf(found));
    }
}
