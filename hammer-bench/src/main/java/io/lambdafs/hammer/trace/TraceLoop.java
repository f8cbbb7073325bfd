package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.replay.Progress;
import io.lambdafs.hammer.replay.Replay;
import io.lambdafs.hammer.replay.Ticker;
import io.lambdafs.hammer.replay.Time;
import io.lambdafs.hammer.result.FailureLog;
import io.lambdafs.hammer.result.Measured;
import io.lambdafs.hammer.result.Sample;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.result.Tally;
import io.lambdafs.hammer.trace.PathOrder.Step;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The open loop of a trace: starts each operation at its recorded time, divided by the speed-up, however slow the
 * answers are. Latency counts from then, including the wait for earlier operations on the same path. One thread starts,
 * judges and counts; threads of the target only record the time of a reply and queue it.
 */
final class TraceLoop {
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long FULL_PAUSE = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int BATCH = 256;

    /** An event from another thread. */
    private sealed interface News permits Second, End {}

    /** A second has passed. */
    private record Second(Sample sample) implements News {}

    /** An operation has ended. */
    private record End(
            Step step, @Nullable Object reply, @Nullable Throwable thrown, long nanos) implements News {}

    private final TraceSettings settings;
    private final Target target;
    private final Ticker ticker;
    private final Time time;
    private final TraceAhead records;
    private final TraceOperations operations;
    private final TraceScan.Offered offered;
    private final PathOrder order = new PathOrder();
    private final Tally tally;
    private final FailureLog failures = new FailureLog();
    private final Map<String, Long> refusals = new TreeMap<>();
    /** Bounded by the window and one tick a second. */
    private final Queue<News> news = new ConcurrentLinkedQueue<>();

    private final long origin;
    private long started;
    private long done;
    private long lastEnd;

    TraceLoop(TraceSettings settings, Target target, Ticker ticker, TraceAhead records, Time time) {
        this.settings = settings;
        this.target = target;
        this.ticker = ticker;
        this.time = time;
        this.records = records;
        this.operations = new TraceOperations(settings.under(), settings.smallFileBytes());
        this.offered = settings.scan().offered();
        this.tally = new Tally(ticker.last(), nanos -> false);
        this.origin = time.nanos();
    }

    /** Runs the load to its end and drains it. */
    Measured run() {
        ticker.start(sample -> news.add(new Second(sample)));
        long end = (long) (settings.seconds() * 1e9);
        long giveUp = end + settings.drain().toNanos();
        while (true) {
            Replay.checkInterrupt();
            handleNews();
            startDue();
            long now = now();
            if ((records.isAtEnd() && order.size() == 0) || now >= giveUp) {
                break;
            }
            pause(now);
        }
        failUndone();
        Sample atEnd = ticker.fresh();
        // Earlier events are older than this sample, or too late to count.
        news.clear();
        closeInterval(atEnd);
        return new Measured(
                tally, failures, settings.scan().records(), done, Math.max(lastEnd, Math.min(end, now())) / 1e9);
    }

    /** Returns the measurements so far, after {@link #run} was interrupted. */
    Measured soFar() {
        SeriesPoint last = closeInterval(ticker.last());
        return new Measured(tally, failures, done + last.waiting(), done, Math.max(1e-3, last.seconds()));
    }

    /** Returns the numbers of operations that the file system legitimately refused, by reason. */
    Map<String, Long> refusals() {
        return refusals;
    }

    private long now() {
        return time.nanos() - origin;
    }

    private long intended(TraceRecord record) {
        return (long) ((record.nanos() - settings.scan().firstNanos()) / settings.speedUp());
    }

    private void handleNews() {
        for (News each = news.poll(); each != null; each = news.poll()) {
            if (each instanceof End end) {
                land(end);
            } else if (each instanceof Second second) {
                showProgress(closeInterval(second.sample()));
            }
        }
    }

    private void startDue() {
        for (int i = 0; i < BATCH && order.size() < settings.window(); i++) {
            TraceRecord record = records.peek();
            if (record == null || intended(record) > now()) {
                return;
            }
            records.take();
            started++;
            Step step = new Step(record, intended(record));
            if (order.add(step)) {
                launch(step);
            }
        }
    }

    private void launch(Step step) {
        execute(step.record).whenComplete((reply, thrown) -> news.add(new End(step, reply, thrown, now())));
    }

    private CompletionStage<? extends Reply> execute(TraceRecord record) {
        try {
            Operation<?> operation = operations.of(record);
            return target.execute(operation);
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    private void land(End end) {
        Step step = end.step;
        order.end(step).forEach(this::launch);
        tally.record(step.record.kind(), step.intendedNanos, end.nanos);
        done++;
        lastEnd = Math.max(lastEnd, end.nanos);
        if (end.thrown != null) {
            FsException thrown = FsException.of(end.thrown);
            if (isRefusal(thrown.code())) {
                refuse(step, thrown.code().name());
            } else {
                failures.add(end.nanos / 1e9, describe(step), thrown.toString());
            }
        } else if (end.reply instanceof Reply.Done answer && !answer.changed()) {
            refuse(step, "nothing to do");
        }
    }

    /** Returns whether the namespace, not the service's state, is the reason for the error. */
    private static boolean isRefusal(ErrorCode code) {
        return code.disposition() == Disposition.FINAL && code.number() < ErrorCode.UNAUTHENTICATED.number();
    }

    private void refuse(Step step, String why) {
        refusals.merge(step.record.kind().label() + " " + why, 1L, Long::sum);
    }

    private static String describe(Step step) {
        return step.record.kind().label() + " " + step.record.path();
    }

    /** Fails whatever is not done when the drain time is over; its wait so far counts as its latency. */
    private void failUndone() {
        long now = now();
        for (Step step : order.all()) {
            tally.record(step.record.kind(), step.intendedNanos, now);
            failures.add(now / 1e9, describe(step), "not answered by the end of the drain time");
            lastEnd = Math.max(lastEnd, now);
        }
        while (!records.isAtEnd()) {
            Replay.checkInterrupt();
            TraceRecord record = records.peek();
            if (record == null) {
                time.pause(FULL_PAUSE);
            } else {
                records.take();
                tally.record(record.kind(), intended(record), now);
                failures.add(now / 1e9, record.kind().label() + " " + record.path(), "not started by the end");
            }
        }
    }

    private SeriesPoint closeInterval(Sample sample) {
        long now = now();
        long due = Math.max(started, offered.until(now * settings.speedUp()));
        return tally.close(now / 1e9, due, due - done, sample);
    }

    private void showProgress(SeriesPoint point) {
        ticker.show(Progress.at(point, settings.seconds(), tally.p99(), failures.count()));
    }

    private void pause(long now) {
        if (!news.isEmpty()) {
            return;
        }
        TraceRecord next = records.peek();
        if (order.size() >= settings.window() || order.size() > 0 || next == null) {
            time.pause(FULL_PAUSE);
        } else if (intended(next) > now) {
            time.pause(Math.min(LONGEST_PAUSE, intended(next) - now));
        }
    }
}
