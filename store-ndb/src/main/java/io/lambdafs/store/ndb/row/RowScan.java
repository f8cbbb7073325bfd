package io.lambdafs.store.ndb.row;

import com.mysql.ndbjtie.ndbapi.NdbIndexScanOperation;
import com.mysql.ndbjtie.ndbapi.NdbIndexScanOperation.BoundType;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.LockMode;
import com.mysql.ndbjtie.ndbapi.NdbRecAttr;
import com.mysql.ndbjtie.ndbapi.NdbScanOperation;
import com.mysql.ndbjtie.ndbapi.NdbScanOperation.ScanFlag;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Table;
import io.lambdafs.store.database.DatabaseLostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scans committed rows in a transaction: those of one partition in order, by an index, or the keys of a whole table.
 * The rows are not of one moment ({@link io.lambdafs.store.ndb.Moments}). Confined to one thread.
 */
public final class RowScan {
    /**
     * The approximate overhead of a row in memory; must exceed the one in {@link Row#estimatedBytes}, or rows of a page
     * would be read in vain.
     */
    private static final int ROW_OVERHEAD = 256;

    private final NdbSession session;
    private final NdbTransaction transaction;
    private final RowReads operations;

    public RowScan(NdbSession session, NdbTransaction transaction) {
        this.session = session;
        this.transaction = transaction;
        this.operations = new RowReads(session, transaction);
    }

    /** A key column that is read. Only a string has memory. */
    private record KeyValue(NdbRecAttr value, @Nullable ByteBuffer text) {
        Object get() {
            return text == null
                    ? (Object) value.int64_value()
                    : new String(NdbMemory.read(text), StandardCharsets.UTF_8);
        }
    }

    private KeyValue key(NdbScanOperation scan, RowTable table, int column) throws DatabaseLostException {
        ByteBuffer text = table.isNumbered(column) ? null : session.memory().room(RowReads.KEY_ROOM);
        return new KeyValue(operations.there(scan.getValue(column, text)), text);
    }

    /** Reads a page. */
    public List<Row> page(Scan page) throws DatabaseLostException {
        NdbMemory memory = session.memory();
        RowTable table = RowTable.get(page.table());
        memory.clear();
        NdbIndexScanOperation scan =
                operations.there(transaction.getNdbIndexScanOperation(session.index(table.made())));
        operations.check(scan.readTuples(LockMode.LM_CommittedRead, ScanFlag.SF_OrderBy, 0, 0));
        operations.check(scan.setBound(0, BoundType.BoundEQ, table.partition(memory, page.partition())));
        Object after = page.after();
        if (after != null) {
            // NDB names bounds by their relation to the values: this one is lower, and exclusive.
            operations.check(scan.setBound(1, BoundType.BoundLT, table.key(memory, 1, after)));
        }
        KeyValue second = key(scan, table, 1);
        NdbRecAttr part = operations.there(scan.getValue(table.part(), null));
        NdbRecAttr parts = operations.there(scan.getValue(table.parts(), null));
        ByteBuffer columns = memory.room(RowReads.COLUMNS_ROOM);
        operations.there(scan.getValue(table.columns(), columns));
        operations.execute();
        boolean apart = session.onDisk(table) != null;
        List<Stored> rows = new ArrayList<>();
        Map<Key, Pieces> longer = new LinkedHashMap<>();
        Map<Key, Integer> counts = new HashMap<>();
        Pieces pieces = new Pieces();
        while (rows.size() < page.limit() && next(scan)) {
            pieces.add(NdbMemory.read(columns));
            boolean last = part.u_32_value() + 1 == parts.u_32_value();
            if (last || apart) {
                Key key = page.table().key(page.partition(), second.get());
                rows.add(new Stored(key, pieces));
                if (!last) {
                    longer.put(key, pieces);
                    counts.put(key, parts.u_32_value());
                }
                pieces = new Pieces();
            }
        }
        scan.close(false, true);
        operations.addRest(longer, counts);
        return rows.stream().map(Stored::row).toList();
    }

    /** A row as stored: the parts found. */
    public record Stored(Key key, Pieces pieces) {
        public Row row() {
            return RowTable.row(key, pieces.joined());
        }
    }

    /**
     * Reads rows of all partitions after a key, or the first ones for null, in key order.
     *
     * @param bytes the size after which it stops, with the row that reaches it
     */
    public List<Stored> all(Table of, @Nullable Key after, int bytes) throws DatabaseLostException {
        NdbMemory memory = session.memory();
        RowTable table = RowTable.get(of);
        memory.clear();
        NdbIndexScanOperation scan =
                operations.there(transaction.getNdbIndexScanOperation(session.index(table.made())));
        operations.check(scan.readTuples(LockMode.LM_CommittedRead, ScanFlag.SF_OrderBy, 0, 0));
        int columns = of.keySize();
        for (int i = 0; after != null && i < columns; i++) {
            int bound = i + 1 == columns ? BoundType.BoundLT : BoundType.BoundLE;
            operations.check(scan.setBound(i, bound, table.key(memory, i, after.part(i))));
        }
        List<KeyValue> parts = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            parts.add(key(scan, table, i));
        }
        NdbRecAttr count = operations.there(scan.getValue(table.parts(), null));
        ByteBuffer piece = memory.room(RowReads.COLUMNS_ROOM);
        operations.there(scan.getValue(table.columns(), piece));
        operations.execute();
        boolean apart = session.onDisk(table) != null;
        List<Stored> rows = new ArrayList<>();
        Map<Key, Pieces> longer = new LinkedHashMap<>();
        Map<Key, Integer> counts = new HashMap<>();
        Key current = null;
        Pieces pieces = new Pieces();
        int read = 0;
        while (next(scan)) {
            Key found = key(of, parts);
            if (current != null && !current.equals(found)) {
                rows.add(new Stored(current, pieces));
                pieces = new Pieces();
                if (read >= bytes) {
                    current = null;
                    break;
                }
            }
            current = found;
            byte[] some = NdbMemory.read(piece);
            read += some.length + ROW_OVERHEAD;
            pieces.add(some);
            if (apart && count.u_32_value() > 1) {
                longer.put(found, pieces);
                counts.put(found, count.u_32_value());
                read += (count.u_32_value() - 1) * MostBytes.PART;
            }
        }
        if (current != null) {
            rows.add(new Stored(current, pieces));
        }
        scan.close(false, true);
        operations.addRest(longer, counts);
        return rows;
    }

    private static Key key(Table of, List<KeyValue> parts) {
        Object[] values = new Object[parts.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = parts.get(i).get();
        }
        return of.key(values);
    }

    private static boolean next(NdbScanOperation scan) throws DatabaseLostException {
        int found = scan.nextResult(true, false);
        if (found < 0) {
            throw NdbFailure.of("the store cannot look through its rows", scan.getNdbError());
        }
        return found == 0;
    }

    /** Returns all keys of a table with one key column. */
    public List<Key> keys(Table of) throws DatabaseLostException {
        RowTable table = RowTable.get(of);
        session.memory().clear();
        NdbScanOperation scan = operations.there(transaction.getNdbScanOperation(session.table(table.made())));
        operations.check(scan.readTuples(LockMode.LM_CommittedRead, 0, 0, 0));
        KeyValue key = key(scan, table, 0);
        operations.execute();
        List<Key> keys = new ArrayList<>();
        while (next(scan)) {
            keys.add(of.key(key.get()));
        }
        scan.close(false, true);
        return keys;
    }
}
