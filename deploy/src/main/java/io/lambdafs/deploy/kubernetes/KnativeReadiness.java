package io.lambdafs.deploy.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Waiting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Waits until Knative reports every Service as ready, or explains why one never will be. Confined to one thread. */
final class KnativeReadiness {
    private final Cluster cluster;
    private final int seconds;

    KnativeReadiness(Cluster cluster, int seconds) {
        this.cluster = cluster;
        this.seconds = seconds;
    }

    /** Returns once all are ready; fails if one cannot become ready, or the time is up. */
    void await(List<String> services) {
        Waiting waiting = new Waiting("Knative", seconds);
        for (String name : services) {
            waiting.until(() -> isReady(name), "Service " + name + " is not ready", "kubectl describe ksvc " + name);
        }
    }

    private boolean isReady(String name) {
        GenericKubernetesResource service = Cluster.asking(
                () -> cluster.resource(Kind.KNATIVE_SERVICE, name).get());
        Optional<Map<String, Object>> ready = service == null ? Optional.empty() : condition(service, "Ready");
        if (ready.isEmpty() || !isOfThisGeneration(service)) {
            return false;
        }
        String status = String.valueOf(ready.get().get("status"));
        if (status.equals("False")) {
            String message = String.valueOf(ready.get().get("message"));
            throw new DeployFailure(Problem.Code.ofStart(message), "Knative says of Service " + name + ": " + message);
        }
        return status.equals("True");
    }

    private static boolean isOfThisGeneration(@Nullable GenericKubernetesResource service) {
        Object observed = service == null ? null : service.get("status", "observedGeneration");
        return service != null
                && String.valueOf(service.getMetadata().getGeneration()).equals(String.valueOf(observed));
    }

    private static Optional<Map<String, Object>> condition(GenericKubernetesResource service, String type) {
        List<Map<String, Object>> all = service.get("status", "conditions");
        return all == null
                ? Optional.empty()
                : all.stream().filter(each -> type.equals(each.get("type"))).findFirst();
    }
}
