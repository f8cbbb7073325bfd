package io.lambdafs.cluster.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.inode.INode;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class SnapshotTest {
    private static final int PAGES = 100;

    /** A store of which only snapshots can be read: of so many INodes, one to a page. */
    private static final class Pages implements MetadataStore {
        private long asked;

        @Override
        public CompletionStage<String> openSnapshot() {
            return CompletableFuture.completedFuture("snapshot");
        }

        @Override
        public CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
            return CompletableFuture.completedFuture(
                    scan.table().equals(Schema.INODES) && asked < PAGES ? List.of(next()) : List.of());
        }

        private Row next() {
            asked++;
            return Rows.of(INode.directory(asked, "d", asked, "root", "root", 0755, 1));
        }

        @Override
        public CompletionStage<Void> closeSnapshot(String snapshot) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public StoreTransaction begin(long epoch) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> fence(long epoch) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldNotHoldATableInMemory() {
        Pages store = new Pages();
        int read = Snapshot.read(store, rows -> {
            int count = 0;
            for (Row row : rows) {
                count++;
                assertThat(store.asked).as("pages asked for at %s", row.key()).isLessThanOrEqualTo(count + 1);
            }
            return count;
        });
        assertThat(read).isEqualTo(PAGES);
    }
}
