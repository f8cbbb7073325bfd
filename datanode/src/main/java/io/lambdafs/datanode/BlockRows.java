package io.lambdafs.datanode;

import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.Table;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The rows that name objects, of files or to be deleted, from a snapshot of the metadata store. Blocks; thread-safe.
 */
final class BlockRows implements BlockInspection.Rows {
    private final MetadataStore metadata;

    BlockRows(MetadataStore metadata) {
        this.metadata = metadata;
    }

    /** Hands the rows of one moment to a reader, a page at a time. Fails as the store does. */
    @Override
    public <T> T read(Function<Iterable<Row>, T> reader) {
        String snapshot = BlockMove.await(metadata.openSnapshot());
        try {
            // Blocks first: an object that becomes invalid is at every moment in exactly one of the two.
            return reader.apply(() -> Stream.of(Schema.BLOCKS, Schema.INVALID_BLOCKS)
                    .flatMap(table -> rows(snapshot, table))
                    .iterator());
        } finally {
            metadata.closeSnapshot(snapshot);
        }
    }

    private Stream<Row> rows(String snapshot, Table table) {
        Iterable<Row> rows = () -> new Pages(snapshot, table);
        return StreamSupport.stream(rows.spliterator(), false);
    }

    private final class Pages implements Iterator<Row> {
        private final String snapshot;
        private final Table table;
        private Iterator<Row> page = List.<Row>of().iterator();
        private @Nullable Key last;
        private boolean ended;

        Pages(String snapshot, Table table) {
            this.snapshot = snapshot;
            this.table = table;
        }

        @Override
        public boolean hasNext() {
            if (!page.hasNext() && !ended) {
                List<Row> rows = BlockMove.await(metadata.scanSnapshot(new SnapshotScan(snapshot, table, last)));
                ended = rows.isEmpty();
                last = ended ? last : rows.get(rows.size() - 1).key();
                page = rows.iterator();
            }
            return page.hasNext();
        }

        @Override
        public Row next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.next();
        }
    }
}
