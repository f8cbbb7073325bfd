package io.lambdafs.benchmarks.clients;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.CachedFiles;
import io.lambdafs.hammer.measure.Samples;
import io.lambdafs.hammer.measure.Spread;
import io.lambdafs.model.FsPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Measures each limit of clients per server in turns; each round starts with another limit. Confined to one thread. */
final class ClientsBench {
    private static final CachedFiles FILES = new CachedFiles(FsPath.of("/bench-clients"), 1_024);

    private final Settings settings;
    private final LocalCluster cluster;
    private final Console console;

    /**
     * The parameters of the bench.
     *
     * @param clients of this process, each with a thread, 1–1,024
     * @param perServer limits of clients per TCP server, each 0–1,024, 0 for no limit; the first is the baseline
     * @param rounds turns of each limit, 1–1,000
     * @param seconds length of a turn, 0.1–600
     * @param warmUp uncounted seconds before each turn, 0–600
     */
    record Settings(int clients, List<Integer> perServer, int rounds, double seconds, double warmUp) {
        Settings {
            perServer = List.copyOf(perServer);
            Options.check(clients >= 1 && clients <= 1_024, "--clients is 1..1024, not " + clients);
            boolean known = perServer.stream().allMatch(most -> most >= 0 && most <= 1_024);
            boolean distinct = new HashSet<>(perServer).size() == perServer.size();
            Options.check(
                    known && distinct && !perServer.isEmpty(), "--per-server is 0..1024, each once, not " + perServer);
            Options.check(rounds >= 1 && rounds <= 1_000, "--rounds is 1..1000, not " + rounds);
            Options.check(seconds >= 0.1 && seconds <= 600, "--seconds is 0.1..600, not " + seconds);
            Options.check(warmUp >= 0 && warmUp <= 600, "--warm-up is 0..600, not " + warmUp);
        }
    }

    /** The turns of each limit, round by round. */
    record Result(Settings settings, Map<Integer, List<Turn>> turns) {
        Spread spread(int most, ToDoubleFunction<Turn> value) {
            return samples(most, value).spread();
        }

        /** Returns the ratio to the first limit, round by round. */
        Spread ratio(int most, ToDoubleFunction<Turn> value) {
            Samples first = samples(settings.perServer().get(0), value);
            return samples(most, value).relativeTo(first).spread();
        }

        private Samples samples(int most, ToDoubleFunction<Turn> value) {
            Samples samples = new Samples();
            turns.getOrDefault(most, List.of()).forEach(turn -> samples.add(value.applyAsDouble(turn)));
            return samples;
        }
    }

    ClientsBench(Settings settings, LocalCluster cluster, Console console) {
        this.settings = settings;
        this.cluster = cluster;
        this.console = console;
    }

    Result run() throws InterruptedException {
        ClientConfigBuilder config =
                ClientConfigBuilder.load(cluster.directory().client());
        // Clients share only with equally configured ones: this one leaves the measured clients no connection.
        ClientConfig apart = config.maxClientsPerServer(Integer.MAX_VALUE).build();
        try (LambdaFs maker = LambdaFs.open(apart)) {
            try {
                FILES.make(maker);
                return turns(config);
            } finally {
                FILES.remove(maker);
            }
        }
    }

    private Result turns(ClientConfigBuilder config) throws InterruptedException {
        Map<Integer, List<Turn>> turns = new LinkedHashMap<>();
        List<Integer> perServer = settings.perServer();
        // The first round does not count: both ends still compile.
        for (int round = 0; round <= settings.rounds(); round++) {
            for (int i = 0; i < perServer.size(); i++) {
                int most = perServer.get((round + i) % perServer.size());
                Turn turn = turn(config.maxClientsPerServer(most).build());
                if (round > 0) {
                    turns.computeIfAbsent(most, first -> new ArrayList<>()).add(turn);
                }
            }
            console.progress(String.format(Locale.ROOT, "round %d of %d", round, settings.rounds()));
        }
        console.endProgress();
        return new Result(settings, turns);
    }

    private Turn turn(ClientConfig config) throws InterruptedException {
        try (Crowd crowd = new Crowd(config, settings.clients(), FILES)) {
            return crowd.run(duration(settings.warmUp()), duration(settings.seconds()));
        }
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
