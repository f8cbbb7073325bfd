package io.lambdafs.deploy.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Explains why a Deployment's pods will never start, as far as Kubernetes reports it. Stateless. */
final class PodTroubles {
    private static final Set<String> NO_IMAGE =
            Set.of("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError");
    private static final Set<String> NO_START = Set.of("CrashLoopBackOff", "RunContainerError", "CreateContainerError");

    private PodTroubles() {}

    /** Returns the failure of pods with these labels, or of their Deployment; empty while they may still start. */
    static Optional<DeployFailure> of(
            Cluster cluster, GenericKubernetesResource deployment, Map<String, String> labels) {
        List<Map<String, Object>> conditions = deployment.get("status", "conditions");
        if (conditions != null) {
            for (Map<String, Object> each : conditions) {
                if ("ReplicaFailure".equals(each.get("type")) && "True".equals(each.get("status"))) {
                    String message = String.valueOf(each.get("message"));
                    return Optional.of(new DeployFailure(
                            Problem.Code.ofStart(message), "Kubernetes makes no pod of the gateway: " + message));
                }
            }
        }
        List<Pod> pods = Cluster.asking(() -> cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabels(labels)
                .list()
                .getItems());
        return pods.stream()
                .filter(pod -> pod.getStatus() != null)
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .map(PodTroubles::ofContainer)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static String joined(String what, @Nullable String more) {
        return more == null || more.isBlank() ? what : what + ", " + more.strip();
    }

    private static Optional<DeployFailure> ofContainer(ContainerStatus container) {
        ContainerState now = container.getState();
        if (now == null || now.getWaiting() == null) {
            return Optional.empty();
        }
        String reason = String.valueOf(now.getWaiting().getReason());
        String what = joined(
                "the gateway's container does not start: " + reason,
                now.getWaiting().getMessage());
        if (NO_IMAGE.contains(reason)) {
            Problem.Code code = Problem.Code.ofStart(what);
            return Optional.of(new DeployFailure(
                    code == Problem.Code.ARCHITECTURE ? code : Problem.Code.IMAGE, what + "; check --image"));
        }
        if (!NO_START.contains(reason)) {
            return Optional.empty();
        }
        ContainerState last = container.getLastState();
        String end = last == null || last.getTerminated() == null
                ? ""
                : joined(
                        ", exit code " + last.getTerminated().getExitCode(),
                        last.getTerminated().getMessage());
        String all = what + end;
        boolean isForeign = all.contains("exec format");
        return Optional.of(new DeployFailure(
                isForeign ? Problem.Code.ARCHITECTURE : Problem.Code.PLATFORM_FAILED, all + "; see its log"));
    }
}
