package io.lambdafs.cluster.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.LocalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Kills the processes that have a part in the writing of files, one after the other, and starts them anew, or stops one for a while. For one thread. */
final class Killer {
    private final LocalCluster cluster;
    private final ObjectStore objects;
    private final WriterProcess writers;
    private final Random random;
    private final Duration frozen;
    private final List<Victim> victims;
    private final Map<Victim, Integer> killed = new EnumMap<>(Victim.class);
    private final List<Victim> next = new ArrayList<>();

    /** Whom it kills. */
    enum Victim {
        DATANODE,
        /** By SIGSTOP, for a while. */
        DATANODE_FROZEN,
        OBJECT_STORE,
        INSTANCE,
        CLIENT
    }

    Killer(
            LocalCluster cluster,
            ObjectStore objects,
            WriterProcess writers,
            Random random,
            Duration frozen,
            List<Victim> victims) {
        this.cluster = cluster;
        this.objects = objects;
        this.writers = writers;
        this.random = random;
        this.frozen = frozen;
        this.victims = victims;
    }

    /** SIGKILL to one, and its next start where nobody else starts it. Each of them has its turn before one has it again. */
    void strike() throws Exception {
        if (next.isEmpty()) {
            next.addAll(victims);
        }
        Victim victim = next.remove(random.nextInt(next.size()));
        switch (victim) {
            case DATANODE -> {
                end(datanode());
                cluster.start(LocalCluster.StartOptions.none());
            }
            case DATANODE_FROZEN -> {
                ProcessHandle datanode = datanode();
                signal("STOP", datanode.pid());
                try {
                    TimeUnit.MILLISECONDS.sleep(frozen.toMillis());
                } finally {
                    signal("CONT", datanode.pid());
                }
            }
            case OBJECT_STORE -> {
                objects.kill();
                objects.start();
            }
            case INSTANCE -> {
                List<Long> instances = new ArrayList<>();
                for (JsonNode each : cluster.gateway().client().instances()) {
                    if (each.path("deployment").asText().startsWith(LocalCluster.ACTION_PREFIX)) {
                        instances.add(each.path("pid").asLong());
                    }
                }
                if (instances.isEmpty()) {
                    return;
                }
                ProcessHandle.of(instances.get(random.nextInt(instances.size())))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
            case CLIENT -> {
                writers.kill();
                writers.start();
            }
        }
        killed.merge(victim, 1, Integer::sum);
    }

    private ProcessHandle datanode() {
        return cluster.processes().get("datanode-" + (1 + random.nextInt(FilesTrialTest.DATANODES)));
    }

    static void signal(String name, long pid) throws Exception {
        int failed = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .inheritIO()
                .start()
                .waitFor();
        if (failed != 0) {
            throw new IllegalStateException("no SIG" + name + " to process " + pid);
        }
    }

    private static void end(ProcessHandle process) throws Exception {
        process.destroyForcibly();
        process.onExit().get();
    }

    Map<Victim, Integer> killed() {
        return killed;
    }
}
