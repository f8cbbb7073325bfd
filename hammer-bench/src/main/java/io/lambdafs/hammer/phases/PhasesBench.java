package io.lambdafs.hammer.phases;

import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.ClosedLoop;
import io.lambdafs.hammer.loop.LoopResult;
import io.lambdafs.hammer.loop.Span;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs phases one after the other; all clients end one before the next begins. A closed loop: a client's next operation
 * starts when the previous one is answered. Confined to one thread.
 */
public final class PhasesBench {
    private static final long STRIDE = 15_485_863;

    private final PhaseTarget target;
    private final PhasesSettings settings;
    private final List<String> failures = new ArrayList<>();

    public PhasesBench(PhaseTarget target, PhasesSettings settings) {
        this.target = target;
        this.settings = settings;
    }

    /** Creates the directories, and runs all phases. */
    public List<PhaseResult> run() throws InterruptedException {
        for (int client = 0; client < settings.clients(); client++) {
            String problem = ask(new NamespaceOperation.Mkdirs(directory(client), 0755, true));
            if (problem != null) {
                throw FsException.unavailable("cannot make " + directory(client) + ": " + problem);
            }
        }
        List<PhaseResult> results = new ArrayList<>();
        for (Phase phase : settings.phases()) {
            results.add(run(phase));
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

    private PhaseResult run(Phase phase) throws InterruptedException {
        int[] asked = new int[settings.clients()];
        Calls<FsPath> calls = client -> asked[client] < settings.files() ? file(phase, client, asked[client]++) : null;
        LoopResult result = new ClosedLoop<>(
                        calls, file -> CompletableFuture.completedFuture(target.call(phase.on(file, settings.bytes()))))
                .inThreads()
                .describedBy(file -> phase.label() + " " + file)
                .run(settings.clients(), Span.drained(System.nanoTime()));
        failures.addAll(result.failures());
        return new PhaseResult(phase, result.latency(), result.failed(), result.seconds());
    }

    /**
     * Returns the file of a client's operation. Files are asked for in another order than they were created in, as
     * tree-test does: each once, since the stride is prime and larger than the number of files.
     */
    private FsPath file(Phase phase, int client, int i) {
        long number = phase == Phase.STAT ? (i * STRIDE + client) % settings.files() : i;
        return directory(client).child("file-" + client + '-' + number);
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
