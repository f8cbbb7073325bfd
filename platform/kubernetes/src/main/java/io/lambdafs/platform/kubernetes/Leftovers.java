package io.lambdafs.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.instance.ActionEndpoint;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pods of an earlier gateway. Takes over those that respond and were made from the same template, with everything
 * that they have cached; removes the others. Used by one thread.
 */
final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
    /** Each attempt takes up to a second: a pod is slow while many start. */
    private static final int ATTEMPTS = 3;

    private final PodLauncher.Settings settings;
    private final KubernetesClient client;
    private final PodInstance.Removal removal;
    private final Function<String, ActionEndpoint> endpoints;

    /** @param removal removes a pod that was taken over, later */
    Leftovers(
            PodLauncher.Settings settings,
            KubernetesClient client,
            PodInstance.Removal removal,
            Function<String, ActionEndpoint> endpoints) {
        this.settings = settings;
        this.client = client;
        this.removal = removal;
        this.endpoints = endpoints;
    }

    /** A pod that may be reusable, and its answer. */
    private record Candidate(Pod pod, PodInstance instance, CompletableFuture<String> answer) {}

    /** Asks all of them at once, which takes seconds if one does not answer, and removes those that cannot be used. */
    List<InstanceLauncher.Found> take() {
        List<Candidate> candidates = new ArrayList<>();
        List<InstanceLauncher.Found> taken = new ArrayList<>();
        int removed = 0;
        for (Pod pod : client.pods()
                .withLabel(PodTemplate.GATEWAY_LABEL, settings.deployment())
                .list()
                .getItems()) {
            PodInstance instance = new PodInstance(pod.getMetadata().getName(), removal, endpoints);
            instance.update(pod);
            boolean leaves = pod.getMetadata().getDeletionTimestamp() != null || instance.isGone();
            if (!leaves && instance.isCallable() && settings.template().isOf(pod)) {
                candidates.add(new Candidate(
                        pod, instance, health(instance.there(), ATTEMPTS).toCompletableFuture()));
            } else {
                remove(pod);
                removed++;
            }
        }
        for (Candidate each : candidates) {
            Optional<String> action = action(each.answer().join());
            Optional<Integer> memory = memoryMb(each.pod());
            String id = each.pod().getMetadata().getLabels().get(PodTemplate.INSTANCE_LABEL);
            if (id != null && action.isPresent() && memory.isPresent()) {
                taken.add(new InstanceLauncher.Found(id, settings.kind(), memory.get(), action.get(), each.instance()));
            } else {
                remove(each.pod());
                removed++;
            }
        }
        LOG.info("Of the gateway before {} pods are taken over, and {} removed", taken.size(), removed);
        return List.copyOf(taken);
    }

    private static CompletionStage<String> health(ActionEndpoint endpoint, int attempts) {
        return endpoint.health()
                .thenCompose(page -> page.isEmpty() && attempts > 1
                        ? health(endpoint, attempts - 1)
                        : CompletableFuture.completedFuture(page));
    }

    private void remove(Pod pod) {
        client.pods()
                .withName(pod.getMetadata().getName())
                .withGracePeriod(settings.stopGrace().toSeconds())
                .delete();
    }

    /** Returns the function that it was initialised for, if any; empty if it does not serve. */
    private Optional<String> action(String health) {
        JsonNode page = health.isEmpty() ? Json.object() : Json.parseObject(health.getBytes(StandardCharsets.UTF_8));
        return switch (page.path("status").asText()) {
            case "prewarmed" -> Optional.of("");
            case "ready" ->
                Optional.of(settings.prefix() + page.path("deployment").asInt());
            default -> Optional.empty();
        };
    }

    private static Optional<Integer> memoryMb(Pod pod) {
        return pod.getSpec().getContainers().get(0).getEnv().stream()
                .filter(each -> each.getName().equals(PodTemplate.MEMORY_VARIABLE))
                .map(EnvVar::getValue)
                .map(Integer::valueOf)
                .findFirst();
    }
}
