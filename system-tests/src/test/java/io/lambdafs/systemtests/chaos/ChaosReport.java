package io.lambdafs.systemtests.chaos;

import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.systemtests.chaos.Faults.Episode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The report of a run, as text. */
final class ChaosReport {
    /** How long after a fault a gap in the completions is put down to it. */
    private static final long AFTERMATH_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Progress progress;
    private final List<String> lines = new ArrayList<>();

    ChaosReport(Progress progress) {
        this.progress = progress;
    }

    void add(String line) {
        lines.add(line);
    }

    /** One line: how much went on while it lasted, and how long nothing did. */
    void episode(Episode each) {
        long end = each.restored() + AFTERMATH_NANOS;
        add(
                "%-24s lasted %5d ms, restart %5d ms: %5d operations meanwhile, longest time without any %5d ms, after the restart %5d ms"
                        .formatted(
                                each.name(),
                                millis(each.ended() - each.began()),
                                millis(each.restored() - each.ended()),
                                progress.between(each.began(), each.ended()),
                                progress.longestGapMillis(each.began(), end),
                                progress.longestGapMillis(each.restored(), end)));
    }

    /** One line per kind of fault that came alone, and one for all pairs. */
    void kinds(List<Episode> episodes) {
        Map<String, List<Episode>> kinds = new TreeMap<>();
        for (Episode each : episodes) {
            String kind = each.faults().size() == 1 ? each.name() : "two at once";
            kinds.computeIfAbsent(kind, name -> new ArrayList<>()).add(each);
        }
        kinds.forEach((kind, all) ->
                add("%-36s %4d times, longest time without any operation %5d ms (of which the fault lasted %d ms)"
                        .formatted(
                                kind,
                                all.size(),
                                all.stream().mapToLong(this::gap).max().orElse(0),
                                all.stream()
                                        .max(Comparator.comparingLong(this::gap))
                                        .map(each -> millis(each.restored() - each.began()))
                                        .orElse(0L))));
    }

    /** How often each fault happened, alone or not. */
    void count(List<Episode> episodes) {
        Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
        episodes.forEach(each -> each.faults().forEach(fault -> counts.merge(fault, 1, Integer::sum)));
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        add("%d faults: %s"
                .formatted(
                        all,
                        counts.entrySet().stream()
                                .map(each -> each.getKey().name().toLowerCase(Locale.ROOT) + " " + each.getValue())
                                .collect(Collectors.joining(", "))));
    }

    /** One line for all rounds of the Spotify mix, and one for each thing that went wrong. */
    void replays(List<ReplayResult> all) {
        if (all.isEmpty()) {
            return;
        }
        add("spotify: %d operations in %d rounds beside, %d failed or answered wrongly"
                .formatted(
                        all.stream().mapToLong(ReplayResult::operations).sum(),
                        all.size(),
                        all.stream().mapToLong(ReplayResult::failed).sum()));
        all.forEach(each -> each.failures().forEach(this::add));
    }

    private long gap(Episode each) {
        return progress.longestGapMillis(each.began(), each.restored() + AFTERMATH_NANOS);
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }

    @Override
    public String toString() {
        return String.join("\n", lines) + "\n";
    }
}
