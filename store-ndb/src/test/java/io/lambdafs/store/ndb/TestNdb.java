package io.lambdafs.store.ndb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mysql.ndbjtie.ndbapi.NdbOperation;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.AbortOption;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.LockMode;
import com.mysql.ndbjtie.ndbapi.NdbRecAttr;
import com.mysql.ndbjtie.ndbapi.NdbScanOperation;
import com.mysql.ndbjtie.ndbapi.NdbScanOperation.ScanFlag;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import com.mysql.ndbjtie.ndbapi.NdbTransaction.ExecType;
import io.lambdafs.store.Key;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.ndb.row.NdbFailure;
import io.lambdafs.store.ndb.row.NdbSession;
import io.lambdafs.store.ndb.row.NdbTable;
import io.lambdafs.store.ndb.row.RowReads;
import io.lambdafs.store.ndb.row.RowTable;
import io.lambdafs.store.ndb.server.NdbPrograms;
import io.lambdafs.store.ndb.server.NdbServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An NDB of the installed programs, in a temporary directory. Skips the test where there are none. */
public final class TestNdb implements AutoCloseable {
    private static final int MEMORY_MB = 128;
    private static final int CHECKPOINT_MILLIS = 100;
    private static final int MOST_PARTS = 80;

    private static @Nullable TestNdb shared;

    private final Path folder;
    private final NdbServer server;
    private @Nullable NdbConnection connection;

    private TestNdb(Path folder, NdbServer server) {
        this.folder = folder;
        this.server = server;
    }

    /** The one of two replicas that all tests of this process share, because starting one takes ten seconds; it ends with the process. */
    static synchronized TestNdb shared() throws Exception {
        TestNdb ndb = shared;
        if (ndb == null) {
            ndb = start(2, MEMORY_MB);
            shared = ndb;
            Runtime.getRuntime().addShutdownHook(new Thread(ndb::close));
        }
        return ndb;
    }

    /** One of its own. */
    static TestNdb start(int replicas, int memoryMb) throws Exception {
        assumeTrue(NdbPrograms.find().isPresent(), "MySQL NDB Cluster is not installed: NDB_HOME does not name it");
        Path folder = Files.createTempDirectory("lambdafs-ndb-");
        NdbServer server = new NdbServer(
                folder,
                0,
                new NdbServer.Size(replicas, memoryMb, CHECKPOINT_MILLIS),
                ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
        TestNdb ndb = new TestNdb(folder, server);
        try {
            server.start();
            return ndb;
        } catch (Exception e) {
            ndb.close();
            throw e;
        }
    }

    NdbServer server() {
        return server;
    }

    NdbSettings settings() {
        return settings(NdbAck.REPLICATED);
    }

    NdbSettings settings(NdbAck ack) {
        return new NdbSettings(server.connect(), "a-cluster", 4, ack, 0);
    }

    /** One whose contents are on disk. */
    NdbDatabase databaseOnDisk(int diskMb) throws DatabaseLostException {
        NdbSettings settings = new NdbSettings(server.connect(), "a-cluster", 4, NdbAck.REPLICATED, diskMb);
        return new NdbDatabase(settings, new SecureRandom().nextLong(), connection());
    }

    /** Does something with NDB itself. */
    @FunctionalInterface
    interface Use {
        void with(NdbSession session) throws DatabaseLostException;
    }

    void use(Use use) throws Exception {
        NdbSession session = connection().session();
        try {
            use.with(session);
        } finally {
            connection().drop(session);
        }
    }

    /** A connection that tests share, for making one takes a second. */
    NdbConnection connection() throws DatabaseLostException {
        NdbConnection open = connection;
        if (open == null) {
            open = NdbConnection.open(server.connect());
            connection = open;
        }
        return open;
    }

    /** Takes the database; its connection is the shared one. */
    NdbDatabase database() throws DatabaseLostException {
        return database(NdbAck.REPLICATED);
    }

    NdbDatabase database(NdbAck ack) throws DatabaseLostException {
        return new NdbDatabase(settings(ack), new SecureRandom().nextLong(), connection());
    }

    /** Removes all rows. */
    void empty() throws Exception {
        use(session -> {
            List<NdbTable> tables = new ArrayList<>(List.of(HolderRow.TABLE, HolderRow.ALIVE));
            for (RowTable table : RowTable.all()) {
                tables.add(table.made());
                if (table.onDisk() != null) {
                    tables.add(table.onDisk());
                }
            }
            for (NdbTable table : tables) {
                if (session.dictionary().getTable(table.name()) != null) {
                    empty(session, table);
                }
            }
        });
    }

    private static void empty(NdbSession session, NdbTable table) throws DatabaseLostException {
        NdbTransaction transaction = HolderRow.begin(session);
        try {
            RowReads use = new RowReads(session, transaction);
            NdbScanOperation scan = transaction.getNdbScanOperation(session.table(table));
            use.check(scan.readTuples(LockMode.LM_Exclusive, ScanFlag.SF_KeyInfo, 0, 0));
            use.execute();
            while (scan.nextResult(true, false) == 0) {
                do {
                    use.check(scan.deleteCurrentTuple());
                } while (scan.nextResult(false, false) == 0);
                use.execute();
            }
            use.check(transaction.execute(ExecType.Commit, AbortOption.AbortOnError, RowReads.FORCE_SEND));
        } finally {
            transaction.close();
        }
    }

    /** Counts a table's rows with a number above zero in a column. */
    int count(NdbTable table, int column) throws Exception {
        AtomicInteger found = new AtomicInteger();
        use(session -> found.set(count(session, table, column)));
        return found.get();
    }

    private static int count(NdbSession session, NdbTable table, int column) throws DatabaseLostException {
        NdbTransaction transaction = HolderRow.begin(session);
        try {
            RowReads use = new RowReads(session, transaction);
            NdbScanOperation scan = transaction.getNdbScanOperation(session.table(table));
            use.check(scan.readTuples(LockMode.LM_CommittedRead, 0, 0, 0));
            NdbRecAttr number = use.there(scan.getValue(column, null));
            use.execute();
            int found = 0;
            while (scan.nextResult(true, false) == 0) {
                found += number.u_32_value() > 0 ? 1 : 0;
            }
            return found;
        } finally {
            transaction.close();
        }
    }

    /** Writes who holds the database, whoever it is; it is on the disk then. */
    void changeHolder(UnaryOperator<HolderRow> change) throws Exception {
        use(session -> Checkpoints.await(changed(session, change), () -> changed(session, UnaryOperator.identity())));
    }

    private static long changed(NdbSession session, UnaryOperator<HolderRow> change) throws DatabaseLostException {
        NdbTransaction transaction = HolderRow.begin(session);
        try {
            HolderRow.Reading reading = HolderRow.read(session, transaction, LockMode.LM_Exclusive);
            new RowReads(session, transaction).execute();
            change.apply(reading.row()).update(session, transaction);
            if (transaction.execute(ExecType.Commit, AbortOption.AbortOnError, RowReads.FORCE_SEND) != 0) {
                throw NdbFailure.of("cannot change the holder", transaction.getNdbError());
            }
            return Checkpoints.of(transaction);
        } finally {
            transaction.close();
        }
    }

    /** Ends all data nodes at once, and starts them again; nothing uses the shared connection meanwhile. */
    void restart() throws Exception {
        disconnect();
        server.restartNodes();
    }

    private void disconnect() {
        NdbConnection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    /** Locks a row until it is closed, once or more. */
    AutoCloseable lock(Key key) throws DatabaseLostException {
        NdbConnection open = connection();
        NdbSession session = open.session();
        NdbTransaction transaction = session.begin(RowTable.of(key), key.partition());
        RowReads reads = new RowReads(session, transaction);
        NdbOperation operation = reads.operation(RowTable.of(key), 0);
        reads.check(operation.readTuple(LockMode.LM_Exclusive));
        reads.bind(operation, key, 0);
        operation.getValue(RowTable.of(key).parts(), null);
        reads.execute();
        AtomicBoolean closed = new AtomicBoolean();
        return () -> {
            if (!closed.getAndSet(true)) {
                transaction.close();
                open.drop(session);
            }
        };
    }

    /** Counts the rows of NDB's that a row has. */
    int parts(Key key) throws Exception {
        AtomicInteger count = new AtomicInteger();
        use(session -> {
            NdbTransaction transaction = HolderRow.begin(session);
            try {
                RowReads reads = new RowReads(session, transaction);
                for (int part = 0; part < MOST_PARTS; part++) {
                    NdbOperation operation = reads.operation(RowTable.of(key), part);
                    reads.check(operation.readTuple(LockMode.LM_CommittedRead));
                    reads.bind(operation, key, part);
                    operation.getValue(RowTable.of(key).parts(), null);
                    reads.execute();
                    count.addAndGet(operation.getNdbError().code() == 0 ? 1 : 0);
                }
            } finally {
                transaction.close();
            }
        });
        return count.get();
    }

    @Override
    public void close() {
        disconnect();
        server.kill();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
