package io.lambdafs.rpc.netty;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.MachineScheduler;
import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A scheduler on an event loop, which runs tasks between I/O. Thread-safe. */
final class LoopScheduler extends MachineScheduler {
    private final EventLoop loop;

    LoopScheduler(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            throw new FsException(ErrorCode.NOT_READY, STOPPING, e);
        }
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        try {
            Future<?> waiting = loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
            return () -> waiting.cancel(false);
        } catch (RejectedExecutionException e) {
            throw new FsException(ErrorCode.NOT_READY, STOPPING, e);
        }
    }
}
