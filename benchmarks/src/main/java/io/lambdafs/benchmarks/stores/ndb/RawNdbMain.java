package io.lambdafs.benchmarks.stores.ndb;

import com.mysql.clusterj.ClusterJDatastoreException;
import com.mysql.clusterj.ClusterJHelper;
import com.mysql.clusterj.Session;
import com.mysql.clusterj.SessionFactory;
import io.lambdafs.benchmarks.stores.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The main class of the process that measures ClusterJ with λFS's rows, one session for each thread. Arguments: NDB's
 * address, the number of directories, then {@code copy}, which makes and reads them and must come first, or {@code
 * operations} and the seconds for each kind. It prints a line for each result: its name and the rate per second.
 */
public final class RawNdbMain {
    private static final int COPIERS = 8;
    private static final int BATCH = 128;
    private static final double WARM_SECONDS = 1;
    /** Attempts of a transaction after temporary refusals of NDB, such as a deadlock or a full log. */
    private static final int ATTEMPTS = 10;

    /** Statuses after which a call is repeated; with the second one NDB refuses, but names no error. */
    private static final Set<Integer> TEMPORARY = Set.of(1, 0);

    private static final int LONGEST_PAUSE_MILLIS = 50;

    private final SessionFactory factory;
    private final int directories;

    private RawNdbMain(String connect, int directories) {
        Properties properties = new Properties();
        properties.put("com.mysql.clusterj.connectstring", connect);
        properties.put("com.mysql.clusterj.database", RawTables.DATABASE);
        factory = ClusterJHelper.getSessionFactory(properties);
        this.directories = directories;
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
        String connect = arguments[0];
        int directories = Integer.parseInt(arguments[1]);
        if (arguments[2].equals("copy")) {
            RawTables.make(connect);
            new RawNdbMain(connect, directories).copy();
            return;
        }
        RawNdbMain raw = new RawNdbMain(connect, directories);
        double seconds = Double.parseDouble(arguments[3]);
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
            if (kind == Kind.RENAME) {
                patiently(session, lane::create);
            }
            while (System.nanoTime() - end < 0) {
                patiently(session, () -> lane.ask(kind));
                done.incrementAndGet();
            }
        });
        return done.get() * 1e9 / (System.nanoTime() - began);
    }

    private void copy() throws InterruptedException, ExecutionException {
        long files = (long) directories * Kind.LISTED;
        long inodes = files + directories;
        long began = System.nanoTime();
        inBatches(directories, BATCH, (lane, from, end) -> lane.makeDirectories((int) from, (int) end));
        inBatches(files, BATCH, RawLane::makeFiles);
        long reading = System.nanoTime();
        inBatches(directories, 1, (lane, from, end) -> lane.list((int) from));
        print("written", inodes * 1e9 / (reading - began));
        print("read", inodes * 1e9 / (System.nanoTime() - reading));
    }

    /** A transaction for some of many things. */
    @FunctionalInterface
    private interface Batch {
        void run(RawLane lane, long from, long end);
    }

    private void inBatches(long count, int batch, Batch transaction) throws InterruptedException, ExecutionException {
        AtomicLong next = new AtomicLong();
        onSessions(COPIERS, (session, lane) -> {
            for (long from = next.getAndAdd(batch); from < count; from = next.getAndAdd(batch)) {
                long first = from;
                patiently(session, () -> transaction.run(lane, first, Math.min(count, first + batch)));
            }
        });
    }

    /** The work of a thread with its session. */
    @FunctionalInterface
    private interface Use {
        void with(Session session, RawLane lane);
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
                        use.with(session, new RawLane(session, lane, directories));
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
                if (!TEMPORARY.contains(e.getStatus()) || attempt == ATTEMPTS) {
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
}
