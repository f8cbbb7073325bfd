package io.lambdafs.platform.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.local.instance.ActionEndpoint;
import io.lambdafs.platform.local.instance.ActionReply;
import io.lambdafs.platform.local.instance.InstanceLog;
import io.lambdafs.platform.local.instance.RunningInstance;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An instance that is a pod. Thread-safe; nothing blocks. */
final class PodInstance implements RunningInstance {
    /** The exit code of a process ended by SIGTERM: the pod disappears before it reports one. */
    private static final int TERMINATED = 143;

    private final String podName;
    private final Removal removal;
    private final Function<String, ActionEndpoint> endpoints;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private volatile @Nullable ActionEndpoint endpoint;

    /** Removes a pod. */
    @FunctionalInterface
    interface Removal {
        /** @param grace the time between SIGTERM and SIGKILL; zero for SIGKILL at once */
        void remove(PodInstance pod, Duration grace);
    }

    /** @param endpoints returns the endpoint at an address */
    PodInstance(String podName, Removal removal, Function<String, ActionEndpoint> endpoints) {
        this.podName = podName;
        this.removal = removal;
        this.endpoints = endpoints;
    }

    String podName() {
        return podName;
    }

    boolean isGone() {
        return exit.isDone();
    }

    /** Returns whether its address is known. */
    boolean isCallable() {
        return endpoint != null;
    }

    /** Takes the API server's news of the pod, which can be called once its container runs. */
    void update(Pod pod) {
        if (pod.getStatus() == null) {
            return;
        }
        List<ContainerStatus> containers = pod.getStatus().getContainerStatuses();
        for (ContainerStatus container : containers) {
            if (container.getState() != null && container.getState().getTerminated() != null) {
                exit.complete(container.getState().getTerminated().getExitCode());
                return;
            }
        }
        if ("Failed".equals(pod.getStatus().getPhase())) {
            // Evicted, or refused by its node, before its container ran.
            exit.complete(TERMINATED);
            return;
        }
        String address = pod.getStatus().getPodIP();
        boolean runs = containers.stream()
                .anyMatch(each -> each.getState() != null && each.getState().getRunning() != null);
        if (endpoint == null && runs && address != null && !address.isEmpty()) {
            endpoint = endpoints.apply(address);
        }
    }

    /** Notes that the API server no longer knows the pod. */
    void removed() {
        exit.complete(TERMINATED);
    }

    /** Returns its endpoint; fails before it runs. */
    ActionEndpoint there() {
        ActionEndpoint known = endpoint;
        if (known == null) {
            throw new IllegalStateException("pod " + podName + " does not run yet");
        }
        return known;
    }

    @Override
    public CompletionStage<ActionReply> init(byte[] json) {
        return there().post("/init", json);
    }

    @Override
    public CompletionStage<ActionReply> run(byte[] json) {
        return there().post("/run", json);
    }

    @Override
    public void stop(Duration grace) {
        removal.remove(this, grace);
    }

    @Override
    public void kill() {
        removal.remove(this, Duration.ZERO);
    }

    @Override
    public CompletionStage<Integer> onExit() {
        return exit;
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.empty();
    }

    @Override
    public String endpoint() {
        return there().base().toString();
    }

    @Override
    public CompletionStage<MetricsPage> metrics() {
        return there().metrics();
    }

    @Override
    public CompletionStage<String> slowest() {
        return there().slowest();
    }

    /** Kubernetes keeps the output of a pod. */
    @Override
    public InstanceLog log() {
        return InstanceLog.NONE;
    }
}
