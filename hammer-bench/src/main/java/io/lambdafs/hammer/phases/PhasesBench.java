package io.lambdafs.hammer.phases;

import io.lambdafs.hammer.Latency;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Runs phases one after the other; all clients end one before the next begins. A closed loop: a client's next operation
 * starts when the previous one is answered. Confined to one thread.
 */
public final class PhasesBench {
    private static final long MAX_MICROS = 600_000_000;
    private static final int DIGITS = 3;
    private static final int KEPT = 5;
    private static final long STRIDE = 15_485_863;

    private final PhaseTarget target;
    private final PhasesSettings settings;
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong failed = new AtomicLong();

    public PhasesBench(PhaseTarget target, PhasesSettings settings) {
        this.target = target;
        this.settings = settings;
    }

    /** Creates the directories, and runs all phases. */
    public List<PhaseResult> run() throws InterruptedException {
        for (int client = 0; client < settings.clients(); client++) {
            String problem = ask(new NamespaceOperation.Mkdirs(directory(client), 0755, true));
            if (problem != null) {
                throw new FsException(ErrorCode.UNAVAILABLE, "cannot make " + directory(client) + ": " + problem);
            }
        }
        List<PhaseResult> results = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(settings.clients());
        try {
            for (Phase phase : settings.phases()) {
                results.add(run(phase, threads));
            }
        } finally {
            threads.shutdownNow();
        }
        return results;
    }

    /** Returns descriptions of the first failed operations. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    private FsPath directory(int client) {
        return settings.root().child(settings.shared() ? "all" : "client-" + client);
    }

    private PhaseResult run(Phase phase, ExecutorService threads) throws InterruptedException {
        ConcurrentHistogram micros = new ConcurrentHistogram(MAX_MICROS, DIGITS);
        failed.set(0);
        List<Callable<@Nullable Void>> clients = new ArrayList<>();
        for (int client = 0; client < settings.clients(); client++) {
            int number = client;
            clients.add(() -> {
                work(phase, number, micros);
                return null;
            });
        }
        long start = System.nanoTime();
        for (Future<@Nullable Void> each : threads.invokeAll(clients)) {
            try {
                each.get();
            } catch (ExecutionException e) {
                throw FsException.of(e);
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new PhaseResult(phase, Latency.of(micros), failed.get(), seconds);
    }

    private void work(Phase phase, int client, ConcurrentHistogram micros) throws InterruptedException {
        FsPath directory = directory(client);
        for (int i = 0; i < settings.files(); i++) {
            // Stat the files in another order than they were created in, as tree-test does: each once, since the stride
            // is prime and larger than the number of files.
            long number = phase == Phase.STAT ? (i * STRIDE + client) % settings.files() : i;
            FsPath file = directory.child("file-" + client + '-' + number);
            long start = System.nanoTime();
            String problem = ask(phase.on(file, settings.bytes()));
            micros.recordValue(Math.min(MAX_MICROS, (System.nanoTime() - start) / 1_000));
            if (problem != null && failed.incrementAndGet() <= KEPT && failures.size() < KEPT) {
                failures.add(phase.label() + " " + file + ": " + problem);
            }
        }
    }

    /** Sends an operation and waits for the answer; returns a description of the error, or null. */
    private @Nullable String ask(Operation<?> operation) throws InterruptedException {
        try {
            return target.call(operation) ? null : "it had no effect";
        } catch (FsException e) {
            return e.toString();
        }
    }
}
