package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.replay.Progress;
import io.lambdafs.hammer.replay.Replay;
import io.lambdafs.hammer.result.Measured;
import io.lambdafs.hammer.result.Part;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.ServerfulFleet;
import io.lambdafs.hammer.workers.Reception.News;
import io.lambdafs.hammer.workload.Schedule;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts workers, gives each its share of a load, and combines their reports. Used by one thread. */
public final class Master implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Master.class);
    private static final int POLL_MILLIS = 1_000;
    /** Time from the order to start until the start: far longer than the order travels. */
    private static final long AHEAD_MICROS = 500_000;

    private final Reception reception;
    private final List<Seat> seats = new ArrayList<>();
    private long lastBeat;

    /**
     * Creates a master that listens.
     *
     * @param secret the cluster's, which workers must know
     * @throws FsException {@code UNAVAILABLE} if it cannot listen there
     */
    public Master(InetSocketAddress address, Secret secret) {
        reception = new Reception(address, secret);
        reception.start();
    }

    public InetSocketAddress address() {
        return reception.address();
    }

    /** Returns the workers that have registered. */
    List<Seat> seats() {
        return seats;
    }

    /**
     * Waits until this many workers have registered, and then takes no more. Processes that cannot prove knowledge of
     * the secret are rejected.
     *
     * @throws FsException {@code TIMED_OUT} if fewer have registered by then
     */
    public void await(int workers, Duration limit) {
        long until = System.nanoTime() + limit.toNanos();
        while (seats.size() < workers) {
            if (System.nanoTime() > until) {
                throw new FsException(
                        ErrorCode.TIMED_OUT,
                        seats.size() + " of " + workers + " workers have registered in " + limit.toSeconds()
                                + " s: start the others with lambdafs worker --master, or ask for fewer");
            }
            Replay.checkInterrupt();
            News next = reception.poll(POLL_MILLIS);
            if (next != null && next.registers()) {
                seats.add(next.seat());
            } else if (next != null && !next.lost().isEmpty()) {
                LOG.warn("a worker has gone before the start: {}, {}", next.seat().process, next.lost());
                seats.remove(next.seat());
            }
            beat();
        }
        reception.stopListening();
    }

    /** Sends every worker a message about once a second, which tells it that the master is there. */
    private void beat() {
        long now = System.nanoTime();
        if (lastBeat != 0 && now - lastBeat < TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS)) {
            return;
        }
        lastBeat = now;
        for (Seat seat : seats) {
            send(seat, Wire.message("wait"));
        }
    }

    private static void send(Seat seat, ObjectNode message) {
        try {
            seat.wire.send(message);
        } catch (IOException e) {
            LOG.debug("its reader will say that it is lost", e);
        }
    }

    /**
     * Returns a worker's next message; null if none arrives within a second. Closes the connection of a worker that
     * registered too late.
     */
    private @Nullable News next() {
        News next = reception.poll(POLL_MILLIS);
        if (next == null || seats.contains(next.seat())) {
            return next;
        }
        next.seat().wire.close();
        return null;
    }

    /**
     * Gives every worker its share, lets all import, starts them at the same moment and waits for their ends. A worker
     * lost before the start ends the run; one lost later is reported separately.
     *
     * @param task of all together; each gets a directory below its target
     * @param progress called about once a second on this thread
     * @param unfinished receives the workers' reports so far if the thread is interrupted after the start, before this
     * throws
     */
    public WorkersResult run(
            Messages.Task task,
            ServerfulFleet fleet,
            ClusterProbe probe,
            Consumer<Progress> progress,
            Consumer<ReplayResult> unfinished) {
        for (int i = 0; i < seats.size(); i++) {
            Messages.Task share = new Messages.Task(
                    task.tree(),
                    task.maxFiles(),
                    task.smallFileBytes(),
                    task.target().child("worker-" + (i + 1)),
                    task.workload().share(seats.size(), i));
            send(seats.get(i), Messages.task(share));
        }
        awaitReady();
        Together together = new Together(seats, task.workload(), probe, progress);
        long at = Wire.micros() + AHEAD_MICROS;
        for (Seat seat : seats) {
            send(seat, Wire.message("start").put("atMicros", at + seat.clockMicros));
        }
        try {
            while (seats.stream().anyMatch(Seat::isRunning)) {
                Replay.checkInterrupt();
                News next = next();
                if (next != null) {
                    together.take(next);
                }
            }
        } catch (FsException e) {
            if (e.code() == ErrorCode.INTERRUPTED) {
                unfinished.accept(unfinished(task, fleet, together.end()));
            }
            throw e;
        }
        Measured measured = together.end();
        List<Share> shares = shares(task.workload());
        Measured.Basis basis =
                new Measured.Basis(seconds(task), fleet, task.workload().seed());
        return new WorkersResult(measured.result(basis, WorkersResult.settings(task, fleet, shares, measured)), shares);
    }

    private ReplayResult unfinished(Messages.Task task, ServerfulFleet fleet, Measured soFar) {
        return soFar.unfinished(
                seconds(task),
                fleet,
                task.workload().seed(),
                WorkersResult.settings(task, fleet, shares(task.workload()), soFar));
    }

    private static double seconds(Messages.Task task) {
        return task.workload().length().toMillis() / 1e3;
    }

    private void awaitReady() {
        int ready = 0;
        while (ready < seats.size()) {
            News next = next();
            if (next != null) {
                switch (next.type()) {
                    case "ready" -> ready++;
                    case "failed" ->
                        throw lostBeforeStart(
                                next.seat(), next.message().path("why").asText());
                    case "lost" -> throw lostBeforeStart(next.seat(), next.lost());
                    default -> {}
                }
            }
            beat();
        }
    }

    private static FsException lostBeforeStart(Seat seat, String why) {
        return FsException.unavailable(
                "the worker " + seat.process + " was lost before the start (" + why + "): nothing has been measured");
    }

    private List<Share> shares(Workload workload) {
        List<Share> shares = new ArrayList<>();
        for (int i = 0; i < seats.size(); i++) {
            Seat seat = seats.get(i);
            long meant = new Schedule(workload.share(seats.size(), i)).count();
            Part last = seat.last;
            shares.add(new Share(
                    "worker-" + (i + 1),
                    seat.process,
                    seat.clockMicros,
                    seat.clockErrorMicros,
                    meant,
                    last == null ? 0 : last.done(),
                    last == null ? 0 : last.failed(),
                    seat.lost));
        }
        return shares;
    }

    @Override
    public void close() {
        reception.close();
    }
}
