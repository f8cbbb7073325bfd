package io.lambdafs.hammer.replay;

import io.lambdafs.hammer.plan.Intent;
import io.lambdafs.hammer.plan.NamespaceModel;
import io.lambdafs.hammer.plan.Planner;
import io.lambdafs.hammer.result.FailureLog;
import io.lambdafs.hammer.result.Measured;
import io.lambdafs.hammer.result.Part;
import io.lambdafs.hammer.result.Sample;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.result.Tally;
import io.lambdafs.hammer.tree.Target;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.Schedule;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * The open loop: starts each operation at its scheduled time, however slow the answers are. One thread plans, starts,
 * judges and counts; threads of the target only record the time of a reply and queue it. An operation that finds the
 * window full, or every candidate held, starts late, and its latency counts from its scheduled start.
 */
final class ReplayLoop {
    /** Maximum number of operations whose candidates were all held; further ones fail at once. */
    private static final int MAX_DEFERRED = 4_096;

    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long FULL_PAUSE = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int BATCH = 256;

    /** An arrival that could not be planned yet. */
    private record Deferred(OperationKind kind, long intendedNanos, long draw) {}

    private final ReplaySettings settings;
    private final Target target;
    private final Ticker ticker;
    private final Time time;
    private final Planner planner;
    private final Schedule.Cursor arrivals;
    private final Schedule.Cursor offered;
    private final FailureLog failures;
    /** Bounded by the window and one tick a second. */
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    private final ArrayDeque<Deferred> deferred = new ArrayDeque<>();
    private Tally tally;
    private long origin;
    private final Set<Flight> inFlight = new LinkedHashSet<>();
    private long offeredCount;
    private long done;
    private long lastEnd;

    ReplayLoop(ReplaySettings settings, Target target, Ticker ticker, Time time) {
        this(settings, target, ticker, time, planner(settings), new FailureLog());
    }

    /**
     * Continues from the namespace that another loop leaves.
     *
     * @param planner with the namespace in its current state
     */
    private ReplayLoop(
            ReplaySettings settings, Target target, Ticker ticker, Time time, Planner planner, FailureLog failures) {
        this.settings = settings;
        this.target = target;
        this.ticker = ticker;
        this.time = time;
        this.planner = planner;
        this.failures = failures;
        Schedule schedule = new Schedule(settings.workload());
        this.arrivals = schedule.cursor();
        this.offered = schedule.cursor();
        this.tally = tally();
        this.origin = time.nanos();
    }

    private static Planner planner(ReplaySettings settings) {
        Workload workload = settings.workload();
        return new Planner(new NamespaceModel(settings.tree(), workload.popularity(), workload.seed()));
    }

    /** Starts a new count. */
    private Tally tally() {
        Schedule schedule = new Schedule(settings.workload());
        Tally counting = new Tally(ticker.last(), schedule::isBurst);
        if (ticker.wantsParts()) {
            counting.keepSlices();
        }
        return counting;
    }

    /** Runs the load to its end, drains it, and watches the cluster scale in. */
    Measured run() {
        warmUp();
        ticker.start(sample -> events.add(new Event.Tick(sample)));
        offer();
        Sample atEnd = ticker.fresh();
        // Earlier events are older than this sample, or too late to count.
        events.clear();
        closeInterval(atEnd);
        watchScaleIn();
        long end = settings.workload().length().toNanos();
        return new Measured(tally, failures, offeredCount, done, Math.max(lastEnd, end) / 1e9);
    }

    /** Offers the warm-up load, of which only failures count. */
    private void warmUp() {
        if (settings.workload().warmUp().isZero()) {
            return;
        }
        ReplaySettings before = settings.withWorkload(settings.workload().before());
        new ReplayLoop(before, target, ticker, time, planner, failures).offer();
        Sample unused = ticker.fresh();
        tally = tally();
        origin = time.nanos();
    }

    /** Starts everything, and waits until it is done or the drain time is over. */
    private void offer() {
        long end = settings.workload().length().toNanos();
        long giveUp = end + settings.drain().toNanos();
        while (true) {
            Replay.checkInterrupt();
            handleEvents();
            retryDeferred();
            startDue();
            long now = now();
            boolean allDone = !arrivals.present() && deferred.isEmpty() && inFlight.isEmpty();
            if (now >= end && (allDone || now >= giveUp)) {
                break;
            }
            pause(now);
        }
        failUndone();
    }

    /**
     * Returns the measurements so far, after {@link #run} was interrupted; operations in flight count as offered, but
     * neither as done nor as failed.
     */
    Measured soFar() {
        closeInterval(ticker.last());
        return new Measured(tally, failures, offeredCount, done, Math.max(1e-3, now() / 1e9));
    }

    private long now() {
        return time.nanos() - origin;
    }

    private void handleEvents() {
        for (Event event = events.poll(); event != null; event = events.poll()) {
            if (event instanceof Flight flight) {
                land(flight);
            } else if (event instanceof Event.Tick tick) {
                showProgress(closeInterval(tick.sample()));
            }
        }
    }

    private void startDue() {
        for (int i = 0; i < BATCH && inFlight.size() < settings.window(); i++) {
            // Replies first: an operation that has ended is settled from here on, and is checked as such.
            handleEvents();
            if (!arrivals.present() || arrivals.nanos() > now()) {
                return;
            }
            OperationKind kind = arrivals.kind();
            long intended = arrivals.nanos();
            long draw = arrivals.draw();
            arrivals.advance();
            Intent<?> intent = planner.plan(kind, draw);
            if (intent != null) {
                launch(intent, intended);
            } else if (deferred.size() < MAX_DEFERRED) {
                deferred.add(new Deferred(kind, intended, draw));
            } else {
                tally.record(kind, intended, now());
                failures.add(intended / 1e9, kind.label(), "nothing suitable in the namespace was free");
            }
        }
    }

    private void retryDeferred() {
        int waiting = Math.min(deferred.size(), BATCH);
        for (int i = 0; i < waiting && inFlight.size() < settings.window(); i++) {
            Deferred next = deferred.remove();
            // Use another draw than the one that found everything held.
            long draw = next.draw * 0x9e3779b97f4a7c15L + 1;
            Intent<?> intent = planner.plan(next.kind, draw);
            if (intent == null) {
                deferred.add(new Deferred(next.kind, next.intendedNanos, draw));
            } else {
                launch(intent, next.intendedNanos);
            }
        }
    }

    private void launch(Intent<?> intent, long intended) {
        Flight flight = new Flight(intent, intended);
        inFlight.add(flight);
        execute(intent.operation()).whenComplete((reply, thrown) -> {
            flight.reply = reply;
            flight.thrown = thrown;
            flight.endedNanos = now();
            events.add(flight);
        });
    }

    private <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
        try {
            return target.execute(operation);
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    private void land(Flight flight) {
        inFlight.remove(flight);
        Intent<?> intent = flight.intent;
        String problem = intent.judge(flight.reply, flight.thrown);
        tally.record(intent.kind(), flight.intendedNanos, flight.endedNanos);
        done++;
        lastEnd = Math.max(lastEnd, flight.endedNanos);
        if (problem == null) {
            intent.settle();
        } else {
            failures.add(flight.endedNanos / 1e9, intent.describe(), problem);
            intent.abandon();
        }
    }

    /** Fails whatever is not done when the drain time is over; its wait so far counts as its latency. */
    private void failUndone() {
        long now = now();
        double seconds = now / 1e9;
        for (Flight flight : inFlight) {
            tally.record(flight.intent.kind(), flight.intendedNanos, now);
            failures.add(seconds, flight.intent.describe(), "not answered by the end of the drain time");
        }
        for (Deferred waiting : deferred) {
            tally.record(waiting.kind, waiting.intendedNanos, now);
            failures.add(seconds, waiting.kind.label(), "not started: nothing suitable in the namespace was free");
        }
        for (; arrivals.present(); arrivals.advance()) {
            tally.record(arrivals.kind(), arrivals.nanos(), now);
            failures.add(seconds, arrivals.kind().label(), "not started by the end of the drain time");
        }
        if (deferred.size() + inFlight.size() > 0) {
            lastEnd = Math.max(lastEnd, now);
        }
    }

    private SeriesPoint closeInterval(Sample sample) {
        long now = now();
        for (; offered.present() && offered.nanos() <= now; offered.advance()) {
            offeredCount++;
        }
        ticker.tell(new Part(
                now / 1e9,
                offeredCount,
                done,
                offeredCount - done,
                failures.count(),
                Part.Requests.between(tally.first(), sample),
                tally.cut()));
        return tally.close(now / 1e9, offeredCount, offeredCount - done, sample);
    }

    private void showProgress(SeriesPoint point) {
        ticker.show(Progress.at(point, settings.workload().seconds(), tally.p99(), failures.count()));
    }

    private void watchScaleIn() {
        long until = now() + settings.watchScaleIn().toNanos();
        while (now() < until && tally.last().instances() > 0) {
            Replay.checkInterrupt();
            for (Event event = events.poll(); event != null; event = events.poll()) {
                if (event instanceof Event.Tick tick) {
                    showProgress(closeInterval(tick.sample()));
                }
            }
            time.pause(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private void pause(long now) {
        if (!events.isEmpty()) {
            return;
        }
        if (inFlight.size() >= settings.window() || !deferred.isEmpty()) {
            time.pause(FULL_PAUSE);
        } else if (!arrivals.present()) {
            time.pause(LONGEST_PAUSE);
        } else if (arrivals.nanos() > now) {
            time.pause(Math.min(LONGEST_PAUSE, arrivals.nanos() - now));
        }
    }
}
