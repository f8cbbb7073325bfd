package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the size of a commit, which bounds groups and the memory of waiting commits. */
class EncodedCommitTest {
    private static final int OVERHEAD = 16;

    private static long bytes(Mutation... mutations) {
        return EncodedCommit.of(List.of(mutations)).bytes();
    }

    @Test
    void shouldCountKeysValuesAndWhatEachChangeTakesBesides() {
        Row row = new Row(Schema.SMALL_FILES.key(7L, 1L), new byte[10_000]);
        int key = KeyBytes.of(row.key()).length;
        int value = RowBytes.of(row).length;
        assertThat(value).isGreaterThan(10_000);
        assertThat(bytes()).isZero();
        assertThat(bytes(new Mutation.Put(row))).isEqualTo(OVERHEAD + key + value);
        assertThat(bytes(new Mutation.Delete(row.key()))).isEqualTo(OVERHEAD + key);
        assertThat(bytes(new Mutation.Put(row), new Mutation.Delete(row.key()), new Mutation.Put(row)))
                .isEqualTo(3L * OVERHEAD + 3L * key + 2L * value);
    }
}
