package io.lambdafs.hammer.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills the processes of instances in turn with SIGKILL, round robin over the deployments, as in the paper's figure 15;
 * neither gateway nor instance is notified. A deployment without an instance is skipped. Thread-safe.
 */
final class InstanceKiller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceKiller.class);

    private final GatewayClient gateway;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "instance-killer");
        thread.setDaemon(true);
        return thread;
    });
    private final List<String> deployments = new ArrayList<>();
    private int next;
    private final AtomicInteger killed = new AtomicInteger();
    private final Future<?> kills;
    private final Future<?> end;

    /**
     * Starts after the first interval.
     *
     * @param length time after which no more instances are killed
     */
    InstanceKiller(GatewayClient gateway, Duration every, Duration length) {
        this.gateway = gateway;
        kills = timer.scheduleAtFixedRate(this::killOne, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
        end = timer.schedule(() -> kills.cancel(false), length.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns the number of instances killed so far. */
    int killed() {
        return killed.get();
    }

    private void killOne() {
        try {
            JsonNode instances = gateway.instances();
            learn(instances);
            for (int i = 0; i < deployments.size(); i++) {
                String deployment = deployments.get(next++ % deployments.size());
                if (kill(instances, deployment)) {
                    killed.incrementAndGet();
                    return;
                }
            }
        } catch (FsException e) {
            LOG.warn("killed nobody this time: {}", e.getMessage());
        }
    }

    /** Keeps the deployments in order of their names, including those that have no instance now. */
    private void learn(JsonNode instances) {
        for (JsonNode each : instances) {
            String deployment = each.path("deployment").asText();
            if (!deployment.isEmpty() && !deployments.contains(deployment)) {
                deployments.add(deployment);
                deployments.sort(null);
            }
        }
    }

    private static boolean kill(JsonNode instances, String deployment) {
        for (JsonNode each : instances) {
            if (each.path("deployment").asText().equals(deployment)
                    && each.path("pid").asLong() > 0) {
                boolean gone = ProcessHandle.of(each.path("pid").asLong())
                        .map(ProcessHandle::destroyForcibly)
                        .orElse(false);
                if (gone) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public void close() {
        kills.cancel(false);
        end.cancel(false);
        timer.shutdownNow();
    }
}
