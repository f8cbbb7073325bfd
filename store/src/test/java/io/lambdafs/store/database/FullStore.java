package io.lambdafs.store.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Fills a database until it refuses, and looks that nothing is lost that was acknowledged. Confined to one thread. */
public final class FullStore {

    private final DatabaseStore store;
    private final int rowBytes;

    /** @param rowBytes of the content of each row */
    public FullStore(DatabaseStore store, int rowBytes) {
        this.store = store;
        this.rowBytes = rowBytes;
    }

    /** Returns how many rows there was room for; a row can be removed and put again where all others stay. */
    public int assertSaysThatItIsFullAndLosesNothing() {
        int acknowledged = 0;
        ErrorCode refused = null;
        while (refused == null) {
            try {
                commit(new Mutation.Put(row(acknowledged)));
                acknowledged++;
            } catch (FsException e) {
                refused = e.code();
            }
        }
        assertThat(refused).isEqualTo(ErrorCode.STORE_FULL);
        commit(new Mutation.Delete(row(0).key()));
        assertThat(read(row(0))).isNull();
        for (int i = 1; i < acknowledged; i++) {
            assertThat(read(row(i))).as("row %d", i).isEqualTo(row(i));
        }
        assertThat(read(row(acknowledged))).as("what was refused").isNull();
        return acknowledged;
    }

    /** Puts back what was removed. */
    public void assertTakesARowAgain() {
        commit(new Mutation.Put(row(0)));
        assertThat(read(row(0))).isEqualTo(row(0));
    }

    private Row row(int number) {
        byte[] content = new byte[rowBytes];
        // Nothing that could be compressed.
        new Random(number).nextBytes(content);
        return new Row(Schema.SMALL_FILES.key((long) number, 1L), content);
    }

    private void commit(Mutation mutation) {
        try {
            Waits.join(store.begin(0).commit(List.of(mutation), Long.MAX_VALUE));
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    private @Nullable Row read(Row row) {
        return Waits.join(store.begin(0).readAndEnd(List.of(Read.unlocked(row.key())), 0))
                .get(0);
    }
}
