package io.lambdafs.platform.kubernetes;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.local.instance.ActionEndpoint;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.instance.RunningInstance;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs every instance as a pod. The pods belong to the gateway's Deployment, so that none outlives it; pods of an
 * earlier gateway are taken over at the start, or removed ({@link Leftovers}). A watch of the API server reports their
 * changes. Thread-safe.
 */
final class PodLauncher implements InstanceLauncher {
    private static final Logger LOG = LoggerFactory.getLogger(PodLauncher.class);
    private static final int THREADS = 4;
    private static final int FORBIDDEN = 403;
    private static final int MAX_QUEUED_CALLS = 1024;
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long REMOVE_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Settings settings;
    private final KubernetesClient client;
    private final Scheduler scheduler;
    private final Function<String, ActionEndpoint> endpoints;
    private final OwnerReference owner;
    private final Map<String, Launch> launches = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor calls;
    private final List<Found> found;
    private final SharedIndexInformer<Pod> pods;

    /**
     * The settings for starting pods.
     *
     * @param kind the kind of functions that the template runs
     * @param prefix the part of the functions' names before the number
     * @param deployment the Deployment that owns the pods
     * @param startLimit the time limit from the request to the first answer
     * @param stopGrace the time that {@link #close} gives the pods between SIGTERM and SIGKILL
     */
    record Settings(
            String kind,
            String prefix,
            String deployment,
            PodTemplate template,
            Duration startLimit,
            Duration stopGrace) {}

    /** A pod, and the future that its launch completes. */
    private record Launch(PodInstance pod, CompletableFuture<RunningInstance> ready) {}

    private PodLauncher(
            Settings settings,
            KubernetesClient client,
            Scheduler scheduler,
            Function<String, ActionEndpoint> endpoints,
            OwnerReference owner) {
        this.settings = settings;
        this.client = client;
        this.scheduler = scheduler;
        this.endpoints = endpoints;
        this.owner = owner;
        this.calls = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_QUEUED_CALLS), task -> {
                    Thread thread = new Thread(task, "pods");
                    thread.setDaemon(true);
                    return thread;
                });
        calls.allowCoreThreadTimeOut(true);
        this.found = new Leftovers(settings, client, this::remove, endpoints).take();
        found.forEach(each -> takeOver((PodInstance) each.running()));
        this.pods = client.pods()
                .withLabel(PodTemplate.GATEWAY_LABEL, settings.deployment())
                .inform(new Events());
        forgetGone();
    }

    /** The watch does not report pods that had gone before it began. */
    private void forgetGone() {
        Set<String> known = pods.getStore().list().stream()
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toSet());
        for (Found each : found) {
            PodInstance pod = (PodInstance) each.running();
            if (!known.contains(pod.podName())) {
                pod.removed();
            }
        }
    }

    /**
     * Takes over or removes the pods of an earlier gateway, and begins to watch.
     *
     * @param client for the gateway's namespace; stays the caller's to close, after this
     * @param endpoints returns the endpoint of a pod at its address
     * @throws IOException if the API server refuses, cannot be reached, or knows no such Deployment
     */
    static PodLauncher open(
            Settings settings, KubernetesClient client, Scheduler scheduler, Function<String, ActionEndpoint> endpoints)
            throws IOException {
        try {
            OwnerReference owner = owner(client, settings.deployment());
            return new PodLauncher(settings, client, scheduler, endpoints, owner);
        } catch (KubernetesClientException e) {
            throw new IOException("the API server does not let the gateway run pods: " + why(e), e);
        }
    }

    /**
     * Returns the owner reference that lets Kubernetes remove objects with the gateway's Deployment.
     *
     * @throws IOException if there is no such Deployment
     */
    static OwnerReference owner(KubernetesClient client, String name) throws IOException {
        Deployment deployment = client.apps().deployments().withName(name).get();
        if (deployment == null) {
            throw new IOException("there is no Deployment " + name + " in the namespace " + client.getNamespace()
                    + ": it must be the gateway's own");
        }
        return new OwnerReferenceBuilder()
                .withApiVersion(deployment.getApiVersion())
                .withKind(deployment.getKind())
                .withName(name)
                .withUid(deployment.getMetadata().getUid())
                .build();
    }

    private static String why(KubernetesClientException e) {
        return e.getStatus() == null || e.getStatus().getMessage() == null
                ? String.valueOf(e.getMessage())
                : e.getStatus().getMessage();
    }

    private void takeOver(PodInstance pod) {
        Launch launch = new Launch(pod, CompletableFuture.completedFuture(pod));
        launches.put(pod.podName(), launch);
        pod.onExit().thenAccept(code -> exited(launch, code));
    }

    @Override
    public List<Found> found() {
        return found;
    }

    @Override
    public Set<String> kinds() {
        return Set.of(settings.kind());
    }

    @Override
    public CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId) {
        if (!kind.equals(settings.kind())) {
            return CompletableFuture.failedStage(new IllegalArgumentException("unknown kind '" + kind + "'"));
        }
        Pod wanted = settings.template().pod(instanceId, memoryMb, owner);
        PodInstance pod = new PodInstance(wanted.getMetadata().getName(), this::remove, endpoints);
        Launch launch = new Launch(pod, new CompletableFuture<>());
        launches.put(pod.podName(), launch);
        pod.onExit().thenAccept(code -> exited(launch, code));
        Scheduler.Timer limit = scheduler.schedule(settings.startLimit().toNanos(), () -> tooSlow(launch));
        launch.ready().whenComplete((running, failure) -> limit.cancel());
        try {
            calls.execute(() -> create(launch, wanted));
        } catch (RejectedExecutionException full) {
            launches.remove(pod.podName());
            launch.ready().completeExceptionally(new IOException("too many pods start or stop", full));
        }
        return launch.ready();
    }

    private void create(Launch launch, Pod wanted) {
        try {
            client.pods().resource(wanted).create();
        } catch (KubernetesClientException e) {
            launches.remove(launch.pod().podName());
            launch.ready().completeExceptionally(notMade(launch.pod().podName(), e));
        }
    }

    /** A quota leaves no room at the moment: callers may continue to wait for the pod. */
    private static Exception notMade(String name, KubernetesClientException e) {
        String message = "pod " + name + " cannot be made: " + why(e);
        boolean quota = e.getCode() == FORBIDDEN && message.contains("exceeded quota");
        return quota ? new FsException(ErrorCode.THROTTLED, message, e) : new IOException(message, e);
    }

    private void tooSlow(Launch launch) {
        if (launch.ready()
                .completeExceptionally(new IOException("pod " + launch.pod().podName() + " did not answer within "
                        + settings.startLimit().toMillis() + " ms"))) {
            launch.pod().kill();
        }
    }

    private void exited(Launch launch, int code) {
        String name = launch.pod().podName();
        launch.ready().completeExceptionally(new IOException("pod " + name + " ended at its start with code " + code));
        if (launches.remove(name) != null) {
            removeFor(name, Duration.ZERO); // A pod that has ended stays known until it is removed.
        }
    }

    /** Calls a running pod until it answers. */
    private void probe(Launch launch, ActionEndpoint endpoint) {
        endpoint.isHealthy().thenAccept(healthy -> {
            if (healthy) {
                launch.ready().complete(launch.pod());
            } else if (!launch.ready().isDone()) {
                scheduler.schedule(PROBE_NANOS, () -> probe(launch, endpoint));
            }
        });
    }

    /** Removes a pod; repeats the request until the API server has accepted it. */
    private void remove(PodInstance pod, Duration grace) {
        if (!pod.isGone()) {
            removeFor(pod.podName(), grace);
        }
    }

    private void removeFor(String name, Duration grace) {
        try {
            calls.execute(() -> {
                try {
                    client.pods()
                            .withName(name)
                            .withGracePeriod(grace.toSeconds())
                            .delete();
                } catch (RuntimeException e) {
                    LOG.warn(
                            "Pod {} cannot be removed, trying again: {}",
                            name,
                            e instanceof KubernetesClientException told ? why(told) : e.toString());
                    removeLater(name, grace);
                }
            });
        } catch (RejectedExecutionException full) {
            removeLater(name, grace);
        }
    }

    private void removeLater(String name, Duration grace) {
        Scheduler.Essential again = () -> removeFor(name, grace);
        scheduler.schedule(REMOVE_AGAIN_NANOS, again);
    }

    /** Handles the events of the watch. */
    private final class Events implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            changed(pod);
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            changed(pod);
        }

        private void changed(Pod told) {
            String name = told.getMetadata().getName();
            Launch launch = launches.get(name);
            if (launch == null) {
                // Created by a request whose answer was lost: nothing else would remove it.
                if (told.getMetadata().getDeletionTimestamp() == null) {
                    removeFor(name, Duration.ZERO);
                }
                return;
            }
            boolean isNew = !launch.pod().isCallable();
            launch.pod().update(told);
            if (isNew && launch.pod().isCallable()) {
                probe(launch, launch.pod().there());
            }
        }

        @Override
        public void onDelete(Pod told, boolean finalStateUnknown) {
            Launch launch = launches.remove(told.getMetadata().getName());
            if (launch != null) {
                launch.pod().removed();
            }
        }
    }

    /** Removes all remaining pods, with the grace period, and stops watching. Does not wait until they have gone. */
    @Override
    public void close() {
        try {
            client.pods()
                    .withLabel(PodTemplate.GATEWAY_LABEL, settings.deployment())
                    .withGracePeriod(settings.stopGrace().toSeconds())
                    .delete();
        } catch (KubernetesClientException e) {
            LOG.warn("Pods could not be removed, and go with the Deployment: {}", why(e));
        }
        pods.close();
        calls.shutdown();
    }
}
