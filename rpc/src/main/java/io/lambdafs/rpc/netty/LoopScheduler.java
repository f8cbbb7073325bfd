package io.lambdafs.rpc.netty;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The machine's own time and randomness; tasks run on an event loop, between two looks at its connections. Thread-safe. */
final class LoopScheduler implements Scheduler {
    private final EventLoop loop;

    LoopScheduler(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public void execute(Runnable task) {
        accepted(() -> {
            loop.execute(task);
            return task;
        });
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Future<?> waiting = accepted(() -> loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS));
        return () -> waiting.cancel(false);
    }

    private static <T> T accepted(Supplier<T> handOver) {
        try {
            return handOver.get();
        } catch (RejectedExecutionException e) {
            throw new FsException(ErrorCode.NOT_READY, "this process is stopping: ask another", e);
        }
    }

    @Override
    public RandomGenerator random() {
        return () -> ThreadLocalRandom.current().nextLong();
    }
}
