package io.lambdafs.cluster.dump;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs parts of a load on several threads. Stateless. */
final class Threads {
    private Threads() {}

    /** Runs all parts; the first one that fails ends the others, and its failure is thrown. */
    static void run(int threads, List<Runnable> parts) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CompletionService<Void> done = new ExecutorCompletionService<>(pool);
            parts.forEach(part -> done.submit(part, null));
            for (int i = 0; i < parts.size(); i++) {
                done.take().get();
            }
        } catch (ExecutionException e) {
            throw FsException.of(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted; the same load may be repeated", e);
        } finally {
            pool.shutdownNow();
        }
    }
}
