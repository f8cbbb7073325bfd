package io.lambdafs.benchmarks.stores.ndb;

import com.mysql.clusterj.ClusterJDatastoreException;
import com.mysql.clusterj.ClusterJHelper;
import com.mysql.clusterj.DynamicObject;
import com.mysql.clusterj.LockMode;
import com.mysql.clusterj.Query;
import com.mysql.clusterj.Session;
import com.mysql.clusterj.SessionFactory;
import com.mysql.clusterj.query.QueryBuilder;
import com.mysql.clusterj.query.QueryDomainType;
import io.lambdafs.benchmarks.stores.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The main class of the process that measures ClusterJ with λFS's rows, one session for each thread. Arguments: NDB's
 * address, then {@code operations} and the seconds for each kind, or {@code copy} and the number of INodes. It prints a
 * line for each result: its name and the rate per second.
 */
public final class RawNdbMain {
    private static final long FIRST_DIRECTORY = 1_000;
    private static final long FIRST_COPY = 1L << 40;
    private static final byte[] COLUMNS = new byte[110];
    private static final byte[] SLOT = new byte[90];
    private static final int COPIERS = 8;
    private static final int BATCH = 128;
    private static final double WARM_SECONDS = 1;
    /** Attempts of a transaction after temporary refusals of NDB, such as a deadlock or a full log. */
    private static final int ATTEMPTS = 10;

    private static final int TEMPORARY = 1;
    private static final int LONGEST_PAUSE_MILLIS = 50;

    private final SessionFactory factory;
    private final AtomicLong numbers = new AtomicLong(System.nanoTime());

    private RawNdbMain(String connect) {
        Properties properties = new Properties();
        properties.put("com.mysql.clusterj.connectstring", connect);
        properties.put("com.mysql.clusterj.database", "lambdafs");
        factory = ClusterJHelper.getSessionFactory(properties);
    }

    /** A row of {@code inodes}: parent, name, part, parts, columns. */
    public static final class INodeRow extends DynamicObject {
        @Override
        public String table() {
            return "inodes";
        }
    }

    /** A row of {@code directory_stats}: directory, part, parts, columns. */
    public static final class StatsRow extends DynamicObject {
        @Override
        public String table() {
            return "directory_stats";
        }
    }

    /** A row of {@code slots}: client, slot, part, parts, columns. */
    public static final class SlotRow extends DynamicObject {
        @Override
        public String table() {
            return "slots";
        }
    }

    public static void main(String[] arguments) {
        int exit = 1;
        try {
            measure(arguments);
            exit = 0;
        } catch (ExecutionException | InterruptedException | RuntimeException | LinkageError e) {
            System.err.println("ClusterJ could not measure: " + e);
            e.printStackTrace();
        } finally {
            // ClusterJ's threads keep a JVM alive.
            System.exit(exit);
        }
    }

    private static void measure(String... arguments) throws InterruptedException, ExecutionException {
        RawNdbMain raw = new RawNdbMain(arguments[0]);
        if (arguments[1].equals("copy")) {
            raw.copy(Long.parseLong(arguments[2]));
            return;
        }
        double seconds = Double.parseDouble(arguments[2]);
        for (Kind each : Kind.values()) {
            raw.perSecond(each, WARM_SECONDS);
            print(each.label(), raw.perSecond(each, seconds));
        }
    }

    private static void print(String what, double perSecond) {
        System.out.println(String.format(Locale.ROOT, "%s %.1f", what, perSecond));
    }

    private double perSecond(Kind kind, double seconds) throws InterruptedException, ExecutionException {
        AtomicLong done = new AtomicLong();
        long began = System.nanoTime();
        long end = began + (long) (seconds * 1e9);
        onSessions(Kind.IN_FLIGHT, (session, lane) -> {
            Lane asks = new Lane(session, lane);
            if (kind == Kind.RENAME) {
                patiently(session, asks::create);
            }
            while (System.nanoTime() - end < 0) {
                patiently(session, () -> asks.ask(kind));
                done.incrementAndGet();
            }
        });
        return done.get() * 1e9 / (System.nanoTime() - began);
    }

    /** The work of a thread with its session. */
    @FunctionalInterface
    private interface Use {
        void with(Session session, int lane);
    }

    private void onSessions(int count, Use use) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int lane = i;
                all.add(threads.submit(() -> {
                    Session session = factory.getSession();
                    try {
                        use.with(session, lane);
                    } finally {
                        session.close();
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Repeats a transaction after NDB's temporary refusals; throws the last refusal. */
    private static void patiently(Session session, Runnable transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                transaction.run();
                return;
            } catch (ClusterJDatastoreException e) {
                if (session.currentTransaction().isActive()) {
                    session.currentTransaction().rollback();
                }
                if (e.getStatus() != TEMPORARY || attempt == ATTEMPTS) {
                    throw e;
                }
            }
            try {
                Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MILLIS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    /** A lane: one of the concurrent sequences of operations. */
    private final class Lane {
        private final Session session;
        private final int number;
        private long directory;
        private byte[] name = new byte[0];

        Lane(Session session, int number) {
            this.session = session;
            this.number = number;
        }

        void ask(Kind kind) {
            switch (kind) {
                case STAT -> stat();
                case CREATE -> create();
                case RENAME -> move();
                case LISTING -> list();
            }
        }

        private long random() {
            return FIRST_DIRECTORY + ThreadLocalRandom.current().nextInt(Kind.DIRECTORIES);
        }

        private void stat() {
            long parent = random();
            byte[] child = bytes("file-" + ThreadLocalRandom.current().nextInt(Kind.LISTED));
            INodeRow found = session.find(INodeRow.class, new Object[] {parent, child, 0L});
            demand(found != null);
            session.release(found);
        }

        private void list() {
            list(random() + Kind.DIRECTORIES);
        }

        void list(long parent) {
            QueryBuilder builder = session.getQueryBuilder();
            QueryDomainType<INodeRow> type = builder.createQueryDefinition(INodeRow.class);
            type.where(type.get("parent_id").equal(type.param("parent")));
            Query<INodeRow> query = session.createQuery(type);
            query.setParameter("parent", parent);
            query.setLimits(0, Kind.LISTED);
            List<INodeRow> rows = query.getResultList();
            demand(rows.size() == Kind.LISTED);
            rows.forEach(session::release);
        }

        private void create() {
            long parent = random();
            byte[] child = bytes("raw-" + numbers.incrementAndGet());
            session.currentTransaction().begin();
            session.setPartitionKey(INodeRow.class, new Object[] {parent, child, 0L});
            session.setLockMode(LockMode.SHARED);
            INodeRow above = session.find(
                    INodeRow.class, new Object[] {1L, bytes("directory-" + (parent - FIRST_DIRECTORY)), 0L});
            demand(above != null);
            INodeRow made = inode(parent, child);
            session.makePersistent(made);
            count(parent);
            slot();
            session.currentTransaction().commit();
            directory = parent;
            name = child;
        }

        private void move() {
            long to = random();
            byte[] child = bytes("raw-" + numbers.incrementAndGet());
            session.currentTransaction().begin();
            session.setPartitionKey(INodeRow.class, new Object[] {directory, name, 0L});
            session.setLockMode(LockMode.EXCLUSIVE);
            INodeRow before = session.find(INodeRow.class, new Object[] {directory, name, 0L});
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

        private INodeRow inode(long parent, byte[] child) {
            INodeRow row = session.newInstance(INodeRow.class);
            row.set(0, parent);
            row.set(1, child);
            row.set(2, 0L);
            row.set(3, 1L);
            row.set(4, COLUMNS);
            return row;
        }

        /** Writes files of a directory that does not exist. */
        void write(long from, long end) {
            session.currentTransaction().begin();
            List<INodeRow> made = new ArrayList<>();
            for (long i = from; i < end; i++) {
                made.add(inode(FIRST_COPY + i / Kind.LISTED, bytes("file-" + i)));
            }
            session.makePersistentAll(made);
            session.currentTransaction().commit();
            made.forEach(session::release);
        }

        private void count(long of) {
            session.setLockMode(LockMode.EXCLUSIVE);
            StatsRow stats = session.find(StatsRow.class, new Object[] {of, 0L});
            demand(stats != null);
            // Unchanged: the store reads it too.
            stats.set(3, stats.get(3));
            session.updatePersistent(stats);
        }

        private void slot() {
            SlotRow row = session.newInstance(SlotRow.class);
            row.set(0, bytes("raw"));
            row.set(1, (long) number);
            row.set(2, 0L);
            row.set(3, 1L);
            row.set(4, SLOT);
            session.savePersistent(row);
        }
    }

    private void copy(long inodes) throws InterruptedException, ExecutionException {
        long directories = inodes / (Kind.LISTED + 1);
        long began = System.nanoTime();
        AtomicLong listed = new AtomicLong();
        onSessions(COPIERS, (session, lane) -> {
            Lane rows = new Lane(session, lane);
            for (long i = listed.getAndIncrement(); i < directories; i = listed.getAndIncrement()) {
                long parent = FIRST_DIRECTORY + i;
                patiently(session, () -> rows.list(parent));
            }
        });
        print("read", inodes * 1e9 / (System.nanoTime() - began));
        long writing = System.nanoTime();
        AtomicLong next = new AtomicLong();
        onSessions(COPIERS, (session, lane) -> {
            Lane rows = new Lane(session, lane);
            for (long from = next.getAndAdd(BATCH); from < inodes; from = next.getAndAdd(BATCH)) {
                long first = from;
                long end = Math.min(inodes, from + BATCH);
                patiently(session, () -> rows.write(first, end));
            }
        });
        print("written", inodes * 1e9 / (System.nanoTime() - writing));
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
