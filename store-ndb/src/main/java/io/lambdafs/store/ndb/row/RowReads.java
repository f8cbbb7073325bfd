package io.lambdafs.store.ndb.row;

import com.mysql.ndbjtie.ndbapi.NdbOperation;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.AbortOption;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.LockMode;
import com.mysql.ndbjtie.ndbapi.NdbRecAttr;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import com.mysql.ndbjtie.ndbapi.NdbTransaction.ExecType;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.database.DatabaseLostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads committed rows in a transaction, by batches of their primary keys. The rows are not of one moment
 * ({@link io.lambdafs.store.ndb.Moments}). Confined to one thread.
 */
public final class RowReads {
    public static final int FORCE_SEND = 1;

    static final int COLUMNS_ROOM = NdbMemory.LENGTH_BYTES + MostBytes.PART;
    static final int KEY_ROOM = NdbMemory.LENGTH_BYTES + MostBytes.KEY;

    private static final String CANNOT = "the store cannot use its rows";
    /** The number of operations sent together; {@link NdbMemory} has room for their results. */
    private static final int BATCH = 128;

    private final NdbSession session;
    private final NdbTransaction transaction;

    public RowReads(NdbSession session, NdbTransaction transaction) {
        this.session = session;
        this.transaction = transaction;
    }

    /**
     * The rows found.
     *
     * @param rows by their keys
     * @param parts the number of parts, of the rows for which only that was requested
     */
    public record Found(Map<Key, Row> rows, Map<Key, Integer> parts) {}

    /** A requested part of a row, or only its number of parts. */
    private record FunctionsSpec(Key key, int part, boolean withColumns) {}

    /** A request that was sent. */
    private record Asked(
            FunctionsSpec wanted,
            NdbOperation operation,
            NdbRecAttr parts,
            @Nullable ByteBuffer columns) {}

    /** Takes the result of a request. */
    @FunctionalInterface
    private interface Taker {
        void take(Key key, int parts, byte[] columns);
    }

    /** Reads rows; those that do not exist are not in the map. */
    public Map<Key, Row> rows(Collection<Key> keys) throws DatabaseLostException {
        return read(keys, Set.of()).rows();
    }

    /** Reads rows, and the number of parts of others. Executes the operations defined before, too. */
    public Found read(Collection<Key> keys, Collection<Key> heads) throws DatabaseLostException {
        List<FunctionsSpec> first = new ArrayList<>();
        keys.forEach(key -> first.add(new FunctionsSpec(key, 0, true)));
        heads.forEach(key -> first.add(new FunctionsSpec(key, 0, false)));
        Map<Key, Pieces> pieces = new LinkedHashMap<>();
        Map<Key, Integer> parts = new HashMap<>();
        Set<Key> whole = Set.copyOf(keys);
        inBatches(first, (key, count, columns) -> {
            parts.put(key, count);
            if (whole.contains(key) && !pieces.containsKey(key)) {
                pieces.put(key, new Pieces().add(columns));
            }
        });
        addRest(pieces, parts);
        Map<Key, Row> rows = new HashMap<>();
        pieces.forEach((key, some) -> rows.put(key, RowTable.row(key, some.joined())));
        return new Found(rows, parts);
    }

    /**
     * Reads the other parts of rows.
     *
     * @param pieces the first parts
     * @param parts the number of parts of each row
     */
    void addRest(Map<Key, Pieces> pieces, Map<Key, Integer> parts) throws DatabaseLostException {
        List<FunctionsSpec> rest = new ArrayList<>();
        for (Key key : pieces.keySet()) {
            for (int part = 1; part < parts.getOrDefault(key, 1); part++) {
                rest.add(new FunctionsSpec(key, part, true));
            }
        }
        if (!rest.isEmpty()) {
            inBatches(
                    rest,
                    (key, count, columns) ->
                            pieces.computeIfAbsent(key, none -> new Pieces()).add(columns));
        }
    }

    private void inBatches(List<FunctionsSpec> all, Taker taker) throws DatabaseLostException {
        int from = 0;
        do {
            session.memory().clear();
            List<Asked> asked = new ArrayList<>();
            for (FunctionsSpec each : all.subList(from, Math.min(all.size(), from + BATCH))) {
                asked.add(ask(each));
            }
            execute();
            for (Asked each : asked) {
                take(each, taker);
            }
            from += BATCH;
        } while (from < all.size());
    }

    private static void take(Asked asked, Taker taker) throws DatabaseLostException {
        int code = asked.operation().getNdbError().code();
        if (code == 0) {
            ByteBuffer columns = asked.columns();
            taker.take(
                    asked.wanted().key(),
                    asked.parts().u_32_value(),
                    columns == null ? new byte[0] : NdbMemory.read(columns));
        } else if (code != NdbFailure.NO_ROW) {
            throw NdbFailure.of(CANNOT, asked.operation().getNdbError());
        }
    }

    private Asked ask(FunctionsSpec wanted) throws DatabaseLostException {
        RowTable table = RowTable.of(wanted.key());
        NdbOperation operation = operation(table, wanted.part());
        check(operation.readTuple(LockMode.LM_CommittedRead));
        bind(operation, wanted.key(), wanted.part());
        NdbRecAttr parts = there(operation.getValue(table.parts(), null));
        ByteBuffer columns = null;
        if (wanted.withColumns()) {
            columns = session.memory().room(COLUMNS_ROOM);
            there(operation.getValue(table.columns(), columns));
        }
        return new Asked(wanted, operation, parts, columns);
    }

    /** Returns an operation, of no kind yet, on a part of a table's row. */
    public NdbOperation operation(RowTable table, int part) throws DatabaseLostException {
        return there(transaction.getNdbOperation(session.table(session.place(table, part))));
    }

    /** Sets the part of a row that an operation is for. */
    public void bind(NdbOperation operation, Key key, int part) throws DatabaseLostException {
        int parts = key.table().keySize();
        for (int i = 0; i < parts; i++) {
            check(
                    key.part(i) instanceof Long number
                            ? operation.equal(i, number.longValue())
                            : operation.equal(i, RowTable.of(key).key(session.memory(), i, key.part(i))));
        }
        check(operation.equal(parts, part));
    }

    /** Sends the defined operations, and waits for the answers; each operation says whether its row was found. */
    public void execute() throws DatabaseLostException {
        if (transaction.execute(ExecType.NoCommit, AbortOption.AO_IgnoreError, FORCE_SEND) != 0
                && transaction.getNdbError().code() != NdbFailure.NO_ROW) {
            throw failure();
        }
    }

    public void check(int result) throws DatabaseLostException {
        if (result != 0) {
            throw failure();
        }
    }

    /** Returns an object of NDB's, or fails if NDB returned none. */
    public <T> T there(@Nullable T made) throws DatabaseLostException {
        if (made == null) {
            throw failure();
        }
        return made;
    }

    private FsException failure() throws DatabaseLostException {
        return NdbFailure.of(CANNOT, transaction.getNdbError());
    }
}
