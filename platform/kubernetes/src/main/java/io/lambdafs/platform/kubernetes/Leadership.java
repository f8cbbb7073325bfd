package io.lambdafs.platform.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects the leader of several gateways: the one that holds a Lease of the API server. The gateways' Service selects
 * its pod by a label. A gateway that does not renew in time gives up before another takes over. Thread-safe.
 */
final class Leadership implements AutoCloseable {
    /** The label of the leading pod. */
    static final String LABEL = "lambdafs.io/leader";

    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final int ATTEMPTS = 10;

    private final KubernetesClient client;
    private final Candidate candidate;
    private final Times times;
    private final Runnable lost;
    private final CompletableFuture<@Nullable Void> leads = new CompletableFuture<>();
    private volatile boolean closing;
    private volatile CompletableFuture<?> election = CompletableFuture.completedFuture(null);

    /**
     * A candidate for leadership.
     *
     * @param lease the name of the Lease, in the client's namespace
     * @param pod the name of the candidate's pod
     * @param owner the object with which Kubernetes removes the Lease
     */
    record Candidate(String lease, String pod, OwnerReference owner) {}

    /**
     * The validity of a Lease, the time after which its holder gives up, and the interval of renewals and requests: each less than the one before.
     */
    record Times(Duration lease, Duration renewal, Duration retry) {
        /** Kubernetes' own. */
        static final Times DEFAULT = new Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
    }

    private Leadership(KubernetesClient client, Candidate candidate, Times times, Runnable lost) {
        this.client = client;
        this.candidate = candidate;
        this.times = times;
        this.lost = lost;
    }

    /**
     * Begins to request the Lease.
     *
     * @param client stays the caller's to close, after this
     * @param lost called when another may lead from now on, except after {@link #close}
     */
    static Leadership seek(KubernetesClient client, Candidate candidate, Times times, Runnable lost) {
        Leadership leadership = new Leadership(client, candidate, times, lost);
        leadership.label(false);
        ObjectMeta lease = new ObjectMetaBuilder()
                .withNamespace(client.getNamespace())
                .withName(candidate.lease())
                .withOwnerReferences(candidate.owner())
                .build();
        leadership.election = client.leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName(candidate.lease())
                        .withLock(new LeaseLock(lease, candidate.pod()))
                        .withLeaseDuration(times.lease())
                        .withRenewDeadline(times.renewal())
                        .withRetryPeriod(times.retry())
                        .withReleaseOnCancel(true)
                        .withLeaderCallbacks(new LeaderCallbacks(
                                leadership::began, leadership::ended, leader -> LOG.info("{} leads", leader)))
                        .build())
                .build()
                .start();
        return leadership;
    }

    /** Completes when this candidate leads, on a thread that must not be blocked. */
    CompletionStage<@Nullable Void> leads() {
        return leads;
    }

    /**
     * Directs calls to this pod, which must be ready for them.
     *
     * @throws KubernetesClientException if the API server has not accepted it within ten retries
     */
    void takeCalls() {
        label(true);
    }

    private void began() {
        leads.complete(null);
    }

    private void ended() {
        if (!closing) {
            lost.run();
        }
    }

    /** Succeeds whatever else changes in the pod meanwhile; retries while the API server is too busy or restarting. */
    private void label(boolean leading) {
        for (int attempt = 1; ; attempt++) {
            try {
                patch(leading ? "\"true\"" : "null");
                return;
            } catch (KubernetesClientException e) {
                if (attempt == ATTEMPTS || closing) {
                    throw e;
                }
                LOG.warn("The label {} cannot be set, trying again: {}", LABEL, e.getMessage());
                pause();
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(times.retry().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the pod is labelled", e);
        }
    }

    private void patch(String value) {
        client.pods()
                .withName(candidate.pod())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"" + LABEL + "\":" + value + "}}}");
    }

    /** Gives the Lease back, so that the next candidate takes it at once. */
    @Override
    public void close() {
        closing = true;
        election.cancel(true);
    }
}
