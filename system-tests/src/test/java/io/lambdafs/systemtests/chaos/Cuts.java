package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.systemtests.ClusterUnderTest;
import io.lambdafs.systemtests.ClusterUnderTest.LiveInstance;
import io.lambdafs.systemtests.ListeningPorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Cuts in the network: a table of nftables of this process's own, that drops segments on the loopback interface by their ports as they
 * come in, so that whoever sent them hears nothing. Confined to one thread.
 */
final class Cuts implements AutoCloseable {
    private static final String PREFIX = "lambdafs_chaos_";
    private static final Pattern TABLE = Pattern.compile("table inet " + PREFIX + "(\\d+)");
    private static final Pattern DROPPED = Pattern.compile("counter packets (\\d+)");
    private static final int LIMIT_SECONDS = 10;

    private final String table = PREFIX + ProcessHandle.current().pid();
    private int cuts;

    /** Which way nothing comes through. */
    private enum Way {
        BOTH,
        TO,
        FROM
    }

    private Cuts() {}

    /** Empty where there is no nft, or no right to use it. */
    static Optional<Cuts> open() throws InterruptedException {
        Cuts cuts = new Cuts();
        try {
            removeLeftOver();
            nft("add table inet " + cuts.table);
            return Optional.of(cuts);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Tables of processes like this one that were killed. */
    private static void removeLeftOver() throws IOException, InterruptedException {
        for (Matcher each = TABLE.matcher(nft("list tables inet")); each.find(); ) {
            if (ProcessHandle.of(Long.parseLong(each.group(1))).isEmpty()) {
                nft("delete table inet " + PREFIX + each.group(1));
            }
        }
    }

    /** A service from all others. */
    Hit around(int port, SplittableRandom random) {
        Way way = way(random);
        List<String> rules = new ArrayList<>();
        if (way != Way.FROM) {
            rules.add("tcp dport " + port);
        }
        if (way != Way.TO) {
            rules.add("tcp sport " + port);
        }
        return new Cut(way + " port " + port, rules);
    }

    /**
     * An instance from gateway, store servers, ZooKeeper and the other instances; its clients are not cut off. As long as it lasts nobody makes new
     * connections to store, ZooKeeper or instances' channels: so the one that is cut off cannot either.
     */
    Hit around(LiveInstance victim, ClusterUnderTest cluster, SplittableRandom random) throws IOException {
        Way way = way(random);
        Set<Integer> services = cluster.ports("store", "store-2", "zookeeper");
        Set<Integer> channels = new TreeSet<>(services);
        Set<Integer> others = new TreeSet<>(services);
        for (LiveInstance each : cluster.instances()) {
            Set<Integer> ports = ListeningPorts.of(each.process().pid());
            others.addAll(ports);
            ports.remove(each.endpoint().getPort());
            channels.addAll(ports);
        }
        Set<Integer> own = ListeningPorts.of(victim.process().pid());
        for (Map.Entry<Integer, Integer> each :
                ListeningPorts.connections(victim.process().pid()).entrySet()) {
            if (others.contains(each.getValue())) {
                own.add(each.getKey());
            }
        }
        List<String> rules = new ArrayList<>();
        if (way != Way.FROM) {
            rules.add("tcp dport " + set(own));
        }
        if (way != Way.TO) {
            rules.add("tcp sport " + set(own));
        }
        rules.add("tcp dport " + set(channels) + " tcp flags & (syn | ack) == syn");
        return new Cut(way + " instance " + victim.process().pid(), rules);
    }

    private static Way way(SplittableRandom random) {
        return Way.values()[random.nextInt(Way.values().length)];
    }

    private static String set(Set<Integer> ports) {
        return ports.stream().map(String::valueOf).collect(Collectors.joining(", ", "{ ", " }"));
    }

    private final class Cut implements Hit {
        private final String chain = " inet " + table + " cut" + ++cuts;
        private final String what;
        private final List<String> rules;
        private boolean begun;

        Cut(String what, List<String> rules) {
            this.what = what;
            this.rules = rules;
        }

        @Override
        public void begin() throws IOException, InterruptedException {
            begun = true;
            StringBuilder script = new StringBuilder()
                    .append("add chain")
                    .append(chain)
                    .append(" { type filter hook input priority 0; policy accept; }\n");
            for (String each : rules) {
                script.append("add rule")
                        .append(chain)
                        .append(" iif lo ")
                        .append(each)
                        .append(" counter drop\n");
            }
            nft(script.toString());
        }

        @Override
        public boolean end() throws IOException, InterruptedException {
            String listing = nft("list chain" + chain);
            cleanUp();
            long dropped = 0;
            for (Matcher each = DROPPED.matcher(listing); each.find(); ) {
                dropped += Long.parseLong(each.group(1));
            }
            assertThat(dropped)
                    .as("segments lost while cut off: %s: %s", what, listing)
                    .isPositive();
            return true;
        }

        @Override
        public void cleanUp() throws IOException, InterruptedException {
            if (begun) {
                nft("flush chain" + chain + "\ndelete chain" + chain);
                begun = false;
            }
        }

        @Override
        public String toString() {
            return "cut " + what;
        }
    }

    /** Returns the output of nft, whose failure is an {@link IOException}. */
    private static String nft(String script) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder("nft", "-f", "-").redirectErrorStream(true).start();
        process.getOutputStream().write((script + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("nft: " + script + ": " + said);
        }
        return said;
    }

    @Override
    public void close() throws IOException {
        try {
            nft("delete table inet " + table);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
