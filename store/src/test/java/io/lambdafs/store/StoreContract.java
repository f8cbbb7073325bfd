package io.lambdafs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.engine.StoreLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Base of the parts of {@link MetadataStoreContract}: the store under test, and words for its scripts. */
public interface StoreContract {

    /** The open store. */
    MetadataStore store();

    /** Opens the store anew, empty, with other limits; {@link #store()} is that one from now on. */
    void reopen(StoreLimits limits);

    default StoreTransaction begin() {
        return store().begin(0);
    }

    default List<@Nullable Row> read(StoreTransaction transaction, Read... reads) {
        return await(transaction.read(List.of(reads), 0));
    }

    default void commit(Mutation... mutations) {
        await(begin().commit(List.of(mutations), Long.MAX_VALUE));
    }

    /** The committed row. */
    default @Nullable Row get(Key key) {
        StoreTransaction transaction = begin();
        Row row = read(transaction, Read.unlocked(key)).get(0);
        transaction.abort();
        return row;
    }

    default List<Row> scan(Scan scan) {
        StoreTransaction transaction = begin();
        List<Row> rows = await(transaction.scan(scan));
        transaction.abort();
        return rows;
    }

    static Key sequence(String name) {
        return Schema.SEQUENCES.key(name);
    }

    static Row number(String name, long value) {
        return new Row(sequence(name), value);
    }

    static Mutation put(String name, long value) {
        return new Mutation.Put(number(name, value));
    }

    static Mutation add(String name, long operand) {
        return new Mutation.Merge(sequence(name), List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, operand)));
    }

    static Mutation max(String name, long operand) {
        return new Mutation.Merge(sequence(name), List.of(new Mutation.Delta(0, Mutation.Delta.Kind.MAX, operand)));
    }

    static Row operation(String path, long id) {
        return new Row(Schema.SUBTREE_OPERATIONS.key(0L, path), id, 0L, "", 0L, "");
    }

    static <T> T await(CompletionStage<T> stage) {
        try {
            return Waits.join(stage);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    static Throwable failure(CompletionStage<?> stage) {
        try {
            fail("should have failed, but was answered " + await(stage));
            throw new AssertionError();
        } catch (RuntimeException e) {
            return e;
        }
    }

    static void assertCode(CompletionStage<?> stage, ErrorCode... codes) {
        assertThat(failure(stage))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isIn(Arrays.asList(codes)));
    }

    static List<String> secondParts(List<Row> rows) {
        List<String> parts = new ArrayList<>();
        rows.forEach(row -> parts.add(row.key().string(1)));
        return parts;
    }
}
