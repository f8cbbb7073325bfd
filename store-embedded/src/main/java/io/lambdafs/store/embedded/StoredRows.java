package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Reads all rows of a store's directory at one moment, even while another process writes to it: takes no lock, changes
 * nothing, and sees everything committed before it began. Stateless.
 */
public final class StoredRows {
    /** The writer removes merged files; a reader that still needs one starts over. */
    private static final int ATTEMPTS = 5;

    private StoredRows() {}

    /**
     * Passes all rows, table by table, to a reader that may be called several times; only the last result
     * counts.
     *
     * @throws FsException {@code NOT_FOUND} if there is no store, {@code UNAVAILABLE} if it changes too fast to be
     *     read, {@code INTERNAL} if it is damaged
     */
    public static <T> T read(Path directory, Function<Iterable<Row>, T> reader) {
        if (!Files.exists(directory.resolve("CURRENT"))) {
            throw new FsException(ErrorCode.NOT_FOUND, "there is no store in " + directory);
        }
        NativeLibrary.load();
        for (int attempt = 1; ; attempt++) {
            try {
                return readOnce(directory, reader);
            } catch (RocksDBException moved) {
                if (attempt == ATTEMPTS) {
                    throw Recovery.unopened(directory, moved);
                }
            }
        }
    }

    private static <T> T readOnce(Path directory, Function<Iterable<Row>, T> reader) throws RocksDBException {
        try (RocksHandle handle = RocksHandle.open(RocksSettings.of(directory), directory, true);
                RocksIterator rows = handle.db.newIterator()) {
            rows.seekToFirst();
            Rows all = new Rows(rows);
            T result = reader.apply(() -> all);
            rows.status();
            return result;
        }
    }

    /** A single pass over the rows. */
    private record Rows(RocksIterator at) implements Iterator<Row> {
        @Override
        public boolean hasNext() {
            return at.isValid();
        }

        @Override
        public Row next() {
            if (!at.isValid()) {
                throw new NoSuchElementException();
            }
            Row row = RowBytes.read(KeyBytes.read(at.key()), at.value());
            at.next();
            return row;
        }
    }
}
