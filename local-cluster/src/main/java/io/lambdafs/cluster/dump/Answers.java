package io.lambdafs.cluster.dump;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for a store's answers to repeatable requests, and repeats them for a while. Stateless. */
final class Answers {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long ANSWER_SECONDS = 30;
    private static final long PAUSE_MILLIS = 200;

    private Answers() {}

    static <T> T await(Supplier<CompletionStage<T>> question) {
        return await(question.get(), question);
    }

    /** @param first the answer to the first request, which was already sent */
    static <T> T await(CompletionStage<T> first, Supplier<CompletionStage<T>> question) {
        long began = System.nanoTime();
        CompletionStage<T> answer = first;
        while (true) {
            try {
                return await(answer);
            } catch (FsException e) {
                if (e.code().disposition() == Disposition.FINAL
                        || e.code() == ErrorCode.INTERRUPTED
                        || System.nanoTime() - began > PATIENCE.toNanos()) {
                    throw e;
                }
            }
            pause();
            answer = question.get();
        }
    }

    /** Waits a moment. */
    static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw FsException.of(e);
        } catch (TimeoutException e) {
            throw new FsException(
                    ErrorCode.TIMED_OUT, "the store did not answer for " + ANSWER_SECONDS + " s; is its disk slow?", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static FsException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new FsException(ErrorCode.INTERRUPTED, "interrupted", e);
    }
}
