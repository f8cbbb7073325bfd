package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.hammer.ClusterProbe;
import io.lambdafs.hammer.Measured;
import io.lambdafs.hammer.Part;
import io.lambdafs.hammer.Progress;
import io.lambdafs.hammer.Replay;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.Schedule;
import io.lambdafs.hammer.ServerfulFleet;
import io.lambdafs.hammer.Workload;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
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

    /** A worker's message, or its loss. */
    record News(Seat seat, JsonNode message, String lost) {}

    private final ServerSocket server;
    private final Secret secret;
    private final List<Seat> seats = new ArrayList<>();
    private final BlockingQueue<News> news = new LinkedBlockingQueue<>();

    /**
     * Creates a master that listens.
     *
     * @param secret the cluster's, which workers must know
     * @throws FsException {@code UNAVAILABLE} if it cannot listen there
     */
    public Master(InetSocketAddress address, Secret secret) {
        this.secret = secret;
        try {
            server = new ServerSocket();
            server.bind(address);
            server.setSoTimeout(POLL_MILLIS);
        } catch (IOException e) {
            throw new FsException(
                    ErrorCode.UNAVAILABLE, "cannot listen for workers on " + address + ": " + e + "; name another", e);
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /**
     * Waits until this many workers have registered. Processes that cannot prove knowledge of the secret are rejected.
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
            accept();
            greet();
        }
    }

    /** Returns the next worker that registers. */
    Seat next(Duration limit) {
        int before = seats.size();
        long until = System.nanoTime() + limit.toNanos();
        while (seats.size() == before && System.nanoTime() < until) {
            accept();
        }
        return seats.get(before);
    }

    private void accept() {
        Socket socket = null;
        try {
            socket = server.accept();
            seats.add(Seat.of(new Wire(socket), secret));
        } catch (SocketTimeoutException e) {
            close(socket);
        } catch (IOException e) {
            LOG.warn("a process that wanted to be a worker was sent away: {}", e.toString());
            close(socket);
        }
    }

    private static void close(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            LOG.debug("a connection did not close", e);
        }
    }

    /** Keeps waiting workers alive with a message each; one that does not answer is gone, and its seat is free. */
    private void greet() {
        seats.removeIf(seat -> {
            try {
                seat.wire.send(Wire.message("wait"));
                seat.wire.receive("waiting");
                return false;
            } catch (IOException e) {
                LOG.warn("a worker has gone before the start: {}, {}", seat.process, e.toString());
                seat.wire.close();
                return true;
            }
        });
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
            order(seats.get(i), share);
        }
        awaitReady();
        Together together = new Together(seats, task.workload(), probe, progress);
        long at = Wire.micros() + AHEAD_MICROS;
        for (Seat seat : seats) {
            send(seat, at);
        }
        try {
            while (seats.stream().anyMatch(Seat::isRunning)) {
                Replay.checkInterrupt();
                together.take(poll());
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

    private void order(Seat seat, Messages.Task share) {
        try {
            seat.wire.send(Messages.task(share));
        } catch (IOException e) {
            throw lostBeforeStart(seat, e.toString());
        }
        Thread reader = new Thread(() -> read(seat), "worker-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Seat seat) {
        try {
            String type = "";
            while (!type.equals("end")) {
                JsonNode message = seat.wire.receive();
                type = message.path("type").asText();
                news.add(new News(seat, message, ""));
            }
        } catch (IOException e) {
            String why = e instanceof SocketTimeoutException
                    ? "it said nothing for " + Wire.SILENCE.toSeconds() + " s"
                    : "its connection broke: " + e;
            news.add(new News(seat, Wire.message("lost"), why));
        }
    }

    private News poll() {
        try {
            News next = null;
            while (next == null) {
                next = news.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "the replay was interrupted before its end", e);
        }
    }

    private void awaitReady() {
        int ready = 0;
        while (ready < seats.size()) {
            News next = poll();
            switch (next.message.path("type").asText()) {
                case "ready" -> ready++;
                case "failed" ->
                    throw lostBeforeStart(next.seat, next.message.path("why").asText());
                case "lost" -> throw lostBeforeStart(next.seat, next.lost);
                default -> {}
            }
            for (Seat seat : seats) {
                keepUp(seat);
            }
        }
    }

    private static void keepUp(Seat seat) {
        try {
            seat.wire.send(Wire.message("wait"));
        } catch (IOException e) {
            throw lostBeforeStart(seat, e.toString());
        }
    }

    private static FsException lostBeforeStart(Seat seat, String why) {
        return new FsException(
                ErrorCode.UNAVAILABLE,
                "the worker " + seat.process + " was lost before the start (" + why + "): nothing has been measured");
    }

    private void send(Seat seat, long at) {
        try {
            seat.wire.send(Wire.message("start").put("atMicros", at + seat.clockMicros));
        } catch (IOException e) {
            LOG.debug("its reader will say that it is lost", e);
        }
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
        seats.forEach(seat -> seat.wire.close());
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("the master's socket did not close", e);
        }
    }
}
