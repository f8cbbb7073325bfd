package io.lambdafs.systemtests.chaos;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.model.testkit.RamDisk;
import io.lambdafs.systemtests.ClusterUnderTest;
import io.lambdafs.systemtests.ClusterUnderTest.LiveInstance;
import io.lambdafs.systemtests.StoreProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Whom faults hit. Confined to one thread. */
final class Victims implements AutoCloseable {
    private static final long MEBIBYTE = 1 << 20;
    private static final String ZOOKEEPER = "zookeeper";

    private final ClusterUnderTest cluster;
    private final History history;
    private final ClientProcess clients;
    private final BlockingLambdaFs prober;
    private final ServedLately servedLately;
    private final Means means;
    private final StoreProcesses parts;
    private int instances;

    /** Means of this machine beyond signals. */
    record Means(RamDisk disk, Optional<Clocks> clocks, Optional<Cuts> cuts, Optional<PostgresPair> pair) {}

    Victims(ClusterUnderTest cluster, History history, ClientProcess clients, Means means) {
        this.cluster = cluster;
        this.history = history;
        this.clients = clients;
        this.means = means;
        this.parts = new StoreProcesses(cluster);
        this.prober = cluster.client();
        this.servedLately = new ServedLately(cluster);
    }

    /** Faults that this machine cannot do, and why. */
    Map<Fault, String> impossible() {
        Map<Fault, String> all = new EnumMap<>(Fault.class);
        for (Fault each : Fault.values()) {
            switch (each.how()) {
                case PROMOTE -> {
                    if (means.pair().isEmpty()) {
                        all.put(each, "no PostgreSQL with a standby: --store standby has one");
                    }
                }
                case KILL, PAUSE -> {
                    if (each == Fault.KILL_DATABASE && !parts.hasDatabase()) {
                        all.put(each, "the store is embedded, or in a database that is not the cluster's");
                    }
                }
                case FULL -> {
                    if (parts.hasDatabase() || means.pair().isPresent()) {
                        all.put(each, "the store is not embedded");
                    } else if (!means.disk().isMounted()) {
                        all.put(each, "may not mount a file system here, which could be filled");
                    }
                }
                case JUMP -> {
                    if (means.clocks().isEmpty()) {
                        all.put(each, "no C compiler (cc) here, or not Linux");
                    }
                }
                case CUT -> {
                    if (means.cuts().isEmpty()) {
                        all.put(each, "no nft here (Debian's package nftables), or no right to use it");
                    }
                }
            }
        }
        if (!hasZooKeeper()) {
            for (Fault each : Fault.values()) {
                if (each.victim().equals(ZOOKEEPER)) {
                    all.put(each, "the store coordinates");
                }
            }
        }
        return all;
    }

    private boolean hasZooKeeper() {
        try {
            return cluster.service(ZOOKEEPER).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Set<Fault> possible() {
        EnumSet<Fault> all = EnumSet.allOf(Fault.class);
        all.removeAll(impossible().keySet());
        return all;
    }

    /** One hit for each fault; fewer where somebody is not there. */
    List<Hit> find(List<Fault> faults, SplittableRandom random) throws IOException, InterruptedException {
        List<LiveInstance> serving =
                faults.stream().anyMatch(Fault::isInstance) ? servedLately.find() : new ArrayList<>();
        List<Hit> hits = new ArrayList<>();
        for (Fault each : faults) {
            if (each.isInstance()) {
                if (!serving.isEmpty()) {
                    hits.add(hit(each, serving.remove(random.nextInt(serving.size())), random));
                    instances++;
                }
            } else if (each == Fault.PROMOTE_STANDBY) {
                means.pair().filter(PostgresPair::isWhole).ifPresent(pair -> hits.add(new PromotionHit(pair)));
            } else if (each == Fault.KILL_CLIENT) {
                Optional.ofNullable(clients.process()).ifPresent(found -> hits.add(new ClientHit(clients, found)));
            } else {
                Optional<ProcessHandle> process = process(each.victim());
                if (process.isPresent()) {
                    hits.add(hit(each, process.get(), random));
                }
            }
        }
        return hits;
    }

    /** Returns the process of a victim; of several store servers, the active one. */
    private Optional<ProcessHandle> process(String victim) throws IOException, InterruptedException {
        return switch (victim) {
            case "database" -> parts.databaseProcess();
            case "store" -> cluster.service(parts.servingStore());
            default -> cluster.service(victim);
        };
    }

    private Hit hit(Fault fault, LiveInstance instance, SplittableRandom random) throws IOException {
        return switch (fault.how()) {
            case JUMP -> means.clocks().orElseThrow().jump(instance.process(), random, history::sawJump);
            case CUT -> means.cuts().orElseThrow().around(instance, cluster, random);
            case KILL, PAUSE, FULL, PROMOTE -> new ProcessHit(fault, instance.process());
        };
    }

    private Hit hit(Fault fault, ProcessHandle service, SplittableRandom random)
            throws IOException, InterruptedException {
        return switch (fault.how()) {
            case FULL -> new FullDiskHit(means.disk(), random.nextInt(3) * 32L * MEBIBYTE, prober, history);
            case JUMP -> means.clocks().orElseThrow().jump(service, random, new GatewayClock(cluster)::sawJump);
            case CUT -> {
                String victim = fault.victim().equals("store") ? parts.servingStore() : fault.victim();
                yield means.cuts().orElseThrow().around(cluster.port(victim), random);
            }
            case KILL, PAUSE, PROMOTE -> new ProcessHit(fault, service);
        };
    }

    /** Describes how busy instances were when they were hit. */
    String describeInstances() {
        return "%d times an instance: it had served within the %d ms before, at most"
                .formatted(instances, servedLately.longestMillis());
    }

    @Override
    public void close() throws IOException {
        prober.close();
        if (means.cuts().isPresent()) {
            means.cuts().get().close();
        }
    }
}
