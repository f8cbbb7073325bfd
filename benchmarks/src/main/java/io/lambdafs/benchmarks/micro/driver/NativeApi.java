package io.lambdafs.benchmarks.micro.driver;

import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.Lister;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * λFS's own asynchronous client: a lane is a place of the window, whose next call starts when the last one completes.
 */
final class NativeApi implements Api<FsPath> {
    private static final int PAGE = 1_000;
    private static final byte[] EMPTY = new byte[0];

    private final LambdaFs client;

    NativeApi(LambdaFs client) {
        this.client = client;
    }

    @Override
    public FsPath path(String text) {
        return FsPath.of(text);
    }

    @Override
    public Outcome run(Workload<FsPath> workload, int lanes, Span span, Bounds bounds) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(lanes);
        List<Lane> all = new ArrayList<>();
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            Lane lane = new Lane(span);
            all.add(lane);
            places.add(new Place(workload, i, lane, span, running));
        }
        places.forEach(Place::go);
        Waits.through(span, running, bounds);
        return Outcome.of(span, all);
    }

    /** One place of the window. Its completions hand it from thread to thread, one after the other. */
    private final class Place {
        private final Workload<FsPath> workload;
        private final int number;
        private final Lane lane;
        private final Span span;
        private final CountDownLatch running;

        Place(Workload<FsPath> workload, int number, Lane lane, Span span, CountDownLatch running) {
            this.workload = workload;
            this.number = number;
            this.lane = lane;
            this.span = span;
            this.running = running;
        }

        /** Starts calls until one does not complete at once: a loop, so that calls refused at once do not nest. */
        void go() {
            while (true) {
                long begun = System.nanoTime();
                if (span.isOver(begun)) {
                    running.countDown();
                    return;
                }
                Step<FsPath> step = workload.next(number);
                if (step == null) {
                    span.cut(begun);
                    running.countDown();
                    return;
                }
                CompletableFuture<Boolean> call = start(step).toCompletableFuture();
                if (!call.isDone()) {
                    call.whenComplete((done, thrown) -> {
                        note(step, begun, done, thrown);
                        go();
                    });
                    return;
                }
                call.whenComplete((done, thrown) -> note(step, begun, done, thrown));
            }
        }

        private void note(Step<FsPath> step, long begun, @Nullable Boolean done, @Nullable Throwable thrown) {
            Throwable wrong = thrown == null && !Boolean.TRUE.equals(done)
                    ? new FsException(
                            ErrorCode.INTERNAL, step.kind() + " " + step.path() + " did nothing, or showed too little")
                    : thrown;
            lane.note(begun, System.nanoTime(), wrong);
        }
    }

    private CompletionStage<Boolean> start(Step<FsPath> step) {
        FsPath path = step.path();
        return switch (step.kind()) {
            case MKDIRS -> client.mkdirs(path, 0755);
            case CREATE -> client.create(path, EMPTY, CreateOptions.DEFAULT).thenApply(created -> true);
            case STAT -> client.stat(path).thenApply(status -> true);
            case OPEN -> client.open(path).thenApply(opened -> true);
            case LIST -> all(client.lister(path, PAGE), 0).thenApply(seen -> seen >= step.entries());
            case RENAME -> client.rename(path, step.destination(), Operation.RenameMode.INTO);
            case DELETE -> client.delete(path, false);
        };
    }

    private static CompletionStage<Integer> all(Lister lister, int before) {
        return lister.next().thenCompose(page -> {
            int seen = before + page.size();
            return lister.isAtEnd() ? CompletableFuture.completedFuture(seen) : all(lister, seen);
        });
    }

    @Override
    public void close() {
        client.close();
    }
}
