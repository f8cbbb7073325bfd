package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.replay.Progress;
import io.lambdafs.hammer.result.FailureLog;
import io.lambdafs.hammer.result.Measured;
import io.lambdafs.hammer.result.Part;
import io.lambdafs.hammer.result.Sample;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.result.Tally;
import io.lambdafs.hammer.workload.Schedule;
import io.lambdafs.hammer.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The combined figures of several workers: an interval closes when every running worker has reported it. Confined to
 * the master's thread.
 */
final class Together {
    private static final Logger LOG = LoggerFactory.getLogger(Together.class);

    private final List<Seat> seats;
    private final Workload workload;
    private final ClusterProbe probe;
    private final Consumer<Progress> progress;
    private final Tally tally;
    private final List<String> described = new ArrayList<>();
    private Sample sample;
    private double seconds;
    private double end;

    Together(List<Seat> seats, Workload workload, ClusterProbe probe, Consumer<Progress> progress) {
        this.seats = seats;
        this.workload = workload;
        this.probe = probe;
        this.progress = progress;
        this.sample = with(probe.sample());
        // The workers' counts already say whether an operation was in a burst.
        this.tally = new Tally(sample, new Schedule(workload)::isBurst);
    }

    void take(Reception.News news) {
        Seat seat = news.seat();
        switch (news.type()) {
            case "part" -> take(seat, news.message());
            case "end" -> {
                seat.ended = true;
                end = Math.max(end, news.message().path("seconds").asDouble());
                news.message().path("failures").forEach(each -> described.add(each.asText()));
            }
            case "lost" -> lose(seat, news.lost());
            default -> {}
        }
        close(false);
    }

    private void take(Seat seat, JsonNode message) {
        try {
            Part part = Messages.part(message);
            seat.pending.add(part);
            seat.last = part;
        } catch (IOException e) {
            lose(seat, e.toString());
            seat.wire.close();
        }
    }

    private static void lose(Seat seat, String why) {
        if (seat.isRunning()) {
            seat.lost = String.format(Locale.ROOT, "at %.1f s, %s", seat.seconds(), why);
            LOG.warn("a worker is lost: {}, {}", seat.process, seat.lost);
        }
    }

    /** @param rest whether to count all remaining reports */
    private void close(boolean rest) {
        while (seats.stream().anyMatch(seat -> !seat.pending.isEmpty())
                && (rest || seats.stream().noneMatch(seat -> seat.isRunning() && seat.pending.isEmpty()))) {
            for (Seat seat : seats) {
                Part part = seat.pending.poll();
                if (part != null) {
                    tally.add(part.slice());
                    seconds = Math.max(seconds, part.seconds());
                }
            }
            refresh();
            show(tally.close(seconds, sum(Part::offered), sum(Part::waiting), sample));
        }
    }

    private long sum(ToLongFunction<Part> figure) {
        long sum = 0;
        for (Seat seat : seats) {
            Part last = seat.last;
            sum += last == null ? 0 : figure.applyAsLong(last);
        }
        return sum;
    }

    /** Samples instances and cost from the cluster, and takes cache figures from the workers. */
    private void refresh() {
        Sample asked;
        try {
            asked = probe.sample();
        } catch (RuntimeException e) {
            LOG.warn("the cluster did not answer; its last sample stands until it does: {}", e.toString());
            asked = sample;
        }
        sample = with(asked);
    }

    /** Returns a sample of the cluster with the requests that the workers have counted. */
    private Sample with(Sample asked) {
        return new Sample(
                asked.millis(),
                asked.instancesByDeployment(),
                asked.billedMillis(),
                asked.costUsd(),
                asked.provisionedUsd(),
                sum(part -> part.requests().sent()),
                sum(part -> part.requests().byHttp()),
                sum(part -> part.requests().hits()),
                sum(part -> part.requests().misses()),
                asked.pages(),
                asked.pagesRead());
    }

    private void show(SeriesPoint point) {
        progress.accept(Progress.at(point, workload.length().toMillis() / 1e3, tally.p99(), sum(Part::failed)));
    }

    /**
     * Returns the workers' combined figures, when no worker is running any more, or without waiting for those that are.
     */
    Measured end() {
        close(true);
        FailureLog failures = new FailureLog();
        failures.addAll(sum(Part::failed), described);
        double length = workload.length().toMillis() / 1e3;
        return new Measured(
                tally,
                failures,
                sum(Part::offered),
                sum(Part::done),
                Math.max(1e-3, Math.max(end, Math.min(length, seconds))));
    }
}
