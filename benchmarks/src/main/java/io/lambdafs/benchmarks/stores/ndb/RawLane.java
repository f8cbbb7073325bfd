package io.lambdafs.benchmarks.stores.ndb;

import com.mysql.clusterj.LockMode;
import com.mysql.clusterj.Query;
import com.mysql.clusterj.Session;
import com.mysql.clusterj.query.QueryBuilder;
import com.mysql.clusterj.query.QueryDomainType;
import io.lambdafs.benchmarks.stores.Kind;
import io.lambdafs.benchmarks.stores.ndb.RawTables.INodeRow;
import io.lambdafs.benchmarks.stores.ndb.RawTables.SlotRow;
import io.lambdafs.benchmarks.stores.ndb.RawTables.StatsRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One of the concurrent sequences of operations, on a session of ClusterJ's. What it reads and writes of each
 * operation, the store does too. Confined to one thread.
 */
final class RawLane {
    private static final long ROOT = 1;
    private static final long FIRST_DIRECTORY = 1_000;
    private static final int FIRST_PART = 0;
    private static final int PARTS = 1;
    private static final byte[] INODE = new byte[110];
    private static final byte[] STATS = new byte[20];
    private static final byte[] SLOT = new byte[90];
    private static final AtomicLong NUMBERS = new AtomicLong(System.nanoTime());

    private final Session session;
    private final int number;
    private final int directories;
    private long directory;
    private byte[] name = new byte[0];

    /** @param directories directories that there are */
    RawLane(Session session, int number, int directories) {
        this.session = session;
        this.number = number;
        this.directories = directories;
    }

    void ask(Kind kind) {
        switch (kind) {
            case STAT -> stat();
            case CREATE -> create();
            case RENAME -> move();
            case LISTING ->
                list(Kind.DIRECTORIES + ThreadLocalRandom.current().nextInt(directories - Kind.DIRECTORIES));
        }
    }

    private static long written() {
        return FIRST_DIRECTORY + ThreadLocalRandom.current().nextInt(Kind.DIRECTORIES);
    }

    private void stat() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        INodeRow found = session.find(
                INodeRow.class, key(FIRST_DIRECTORY + random.nextInt(directories), file(random.nextInt(Kind.LISTED))));
        demand(found != null);
        session.release(found);
    }

    /** Reads the files of a directory in which none are created. */
    void list(int which) {
        QueryBuilder builder = session.getQueryBuilder();
        QueryDomainType<INodeRow> type = builder.createQueryDefinition(INodeRow.class);
        type.where(type.get("parent_id").equal(type.param("parent")));
        Query<INodeRow> query = session.createQuery(type);
        query.setParameter("parent", FIRST_DIRECTORY + which);
        query.setLimits(0, Kind.LISTED);
        List<INodeRow> rows = query.getResultList();
        demand(rows.size() == Kind.LISTED);
        rows.forEach(session::release);
    }

    void create() {
        long parent = written();
        byte[] child = fresh();
        session.currentTransaction().begin();
        session.setPartitionKey(INodeRow.class, key(parent, child));
        session.setLockMode(LockMode.SHARED);
        INodeRow above = session.find(INodeRow.class, key(ROOT, directoryName((int) (parent - FIRST_DIRECTORY))));
        demand(above != null);
        session.makePersistent(inode(parent, child));
        count(parent);
        slot();
        session.currentTransaction().commit();
        directory = parent;
        name = child;
    }

    private void move() {
        long to = written();
        byte[] child = fresh();
        session.currentTransaction().begin();
        session.setPartitionKey(INodeRow.class, key(directory, name));
        session.setLockMode(LockMode.EXCLUSIVE);
        INodeRow before = session.find(INodeRow.class, key(directory, name));
        demand(before != null);
        session.deletePersistent(before);
        session.makePersistent(inode(to, child));
        // In a fixed order, to avoid deadlock.
        count(Math.min(directory, to));
        if (to != directory) {
            count(Math.max(directory, to));
        }
        slot();
        session.currentTransaction().commit();
        directory = to;
        name = child;
    }

    /** Writes directories, without their files. */
    void makeDirectories(int from, int end) {
        session.currentTransaction().begin();
        List<Object> made = new ArrayList<>();
        for (int i = from; i < end; i++) {
            made.add(inode(ROOT, directoryName(i)));
            StatsRow stats = session.newInstance(StatsRow.class);
            stats.set(0, FIRST_DIRECTORY + i);
            stats.set(1, FIRST_PART);
            stats.set(2, PARTS);
            stats.set(3, STATS);
            made.add(stats);
        }
        persist(made);
    }

    /** Writes files, {@link Kind#LISTED} for each directory. */
    void makeFiles(long from, long end) {
        session.currentTransaction().begin();
        List<Object> made = new ArrayList<>();
        for (long i = from; i < end; i++) {
            made.add(inode(FIRST_DIRECTORY + i / Kind.LISTED, file((int) (i % Kind.LISTED))));
        }
        persist(made);
    }

    private void persist(List<Object> made) {
        session.makePersistentAll(made);
        session.currentTransaction().commit();
        made.forEach(session::release);
    }

    private INodeRow inode(long parent, byte[] child) {
        INodeRow row = session.newInstance(INodeRow.class);
        row.set(0, parent);
        row.set(1, child);
        row.set(2, FIRST_PART);
        row.set(3, PARTS);
        row.set(4, INODE);
        return row;
    }

    private void count(long of) {
        session.setLockMode(LockMode.EXCLUSIVE);
        StatsRow stats = session.find(StatsRow.class, new Object[] {of, FIRST_PART});
        demand(stats != null);
        // Unchanged: the store reads it too.
        stats.set(3, stats.get(3));
        session.updatePersistent(stats);
    }

    private void slot() {
        SlotRow row = session.newInstance(SlotRow.class);
        row.set(0, bytes("raw"));
        row.set(1, (long) number);
        row.set(2, FIRST_PART);
        row.set(3, PARTS);
        row.set(4, SLOT);
        session.savePersistent(row);
    }

    private static Object[] key(long parent, byte[] child) {
        return new Object[] {parent, child, FIRST_PART};
    }

    private static byte[] directoryName(int which) {
        return bytes("directory-" + which);
    }

    private static byte[] file(int which) {
        return bytes("file-" + which);
    }

    private static byte[] fresh() {
        return bytes("raw-" + NUMBERS.incrementAndGet());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void demand(boolean there) {
        if (!there) {
            throw new IllegalStateException("NDB has not what was put there");
        }
    }
}
