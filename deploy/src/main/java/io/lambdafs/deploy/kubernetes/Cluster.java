package io.lambdafs.deploy.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.deploy.Undo;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A Kubernetes namespace, with the operations that λFS needs: apply, list by label, delete. Confined to one thread. */
final class Cluster implements AutoCloseable {
    /** The label of everything created; its value is the cluster's name. */
    static final String LABEL = "lambdafs.io/cluster";

    private static final String MANAGER = "lambdafs";

    private final KubernetesClient client;
    private final String namespace;

    Cluster(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Opens the namespace that a target names; sends nothing yet. */
    static Cluster open(Target target) {
        Config config;
        String context = target.context().isEmpty() ? null : target.context();
        Path file = target.kubeconfig();
        boolean isThere = file != null && Files.isReadable(file);
        if (!isThere && file != null && !target.isOffline()) {
            throw unusable("there is no kubeconfig " + file + " that can be read", null);
        }
        try {
            config = file == null || !isThere
                    ? Config.autoConfigure(context)
                    : Config.fromKubeconfig(context, file.toFile());
        } catch (KubernetesClientException | IllegalArgumentException e) {
            throw unusable("cannot read the kubeconfig: " + e.getMessage(), e);
        }
        if (!target.isOffline()) {
            demandContext(config, target.context());
        }
        config.setRequestRetryBackoffLimit(0);
        String namespace = target.namespace().isEmpty()
                ? Objects.requireNonNullElse(config.getNamespace(), "default")
                : target.namespace();
        return new Cluster(new KubernetesClientBuilder().withConfig(config).build(), namespace);
    }

    private static DeployFailure unusable(String what, @Nullable Throwable cause) {
        return new DeployFailure(
                Problem.fault(Problem.Code.CREDENTIALS, what, "name another one with --kubeconfig"), cause);
    }

    /** Refuses an unknown context, which the client would silently replace by another. */
    private static void demandContext(Config config, String context) {
        List<NamedContext> known = Objects.requireNonNullElse(config.getContexts(), List.of());
        if (!context.isEmpty() && known.stream().noneMatch(each -> context.equals(each.getName()))) {
            throw new DeployFailure(
                    Problem.fault(
                            Problem.Code.CREDENTIALS,
                            "the kubeconfig has no context \"" + context + "\"",
                            known.isEmpty()
                                    ? "leave out --context, or name another kubeconfig with --kubeconfig"
                                    : "there are "
                                            + known.stream()
                                                    .map(NamedContext::getName)
                                                    .sorted()
                                                    .collect(Collectors.joining(", "))
                                            + ": correct --context"),
                    null);
        }
    }

    String namespace() {
        return namespace;
    }

    /** Returns the changes that applying manifests to an empty namespace would make, without contacting the server. */
    List<Change> unasked(List<GenericKubernetesResource> manifests) {
        return manifests.stream()
                .map(each -> new Change(
                        Change.Kind.CREATED, each.getKind(), each.getMetadata().getName(), text(each)))
                .toList();
    }

    private String text(GenericKubernetesResource manifest) {
        manifest.getMetadata().setNamespace(namespace);
        return Manifests.text(manifest);
    }

    KubernetesClient client() {
        return client;
    }

    Resource<GenericKubernetesResource> resource(Kind kind, String name) {
        return client.genericKubernetesResources(kind.context())
                .inNamespace(namespace)
                .withName(name);
    }

    private Resource<GenericKubernetesResource> resource(Kind kind, GenericKubernetesResource object) {
        return client.genericKubernetesResources(kind.context())
                .inNamespace(namespace)
                .resource(object);
    }

    /** Returns the architectures of its nodes, as images name them; empty if listing them is forbidden. */
    Set<String> architectures() {
        try {
            return client.nodes().list().getItems().stream()
                    .filter(node -> node.getStatus() != null && node.getStatus().getNodeInfo() != null)
                    .map(node -> node.getStatus().getNodeInfo().getArchitecture())
                    .collect(Collectors.toSet());
        } catch (KubernetesClientException mayNot) {
            return Set.of();
        }
    }

    /** Returns the objects of a λFS cluster. */
    List<GenericKubernetesResource> list(Kind kind, String cluster) {
        return asking(() -> client.genericKubernetesResources(kind.context())
                .inNamespace(namespace)
                .withLabel(LABEL, cluster)
                .list()
                .getItems());
    }

    /**
     * Applies a manifest as its only manager.
     *
     * @param dryRun whether to ask the server for the result without applying it
     */
    Change apply(Kind kind, GenericKubernetesResource manifest, boolean dryRun, Undo undo) {
        String name = manifest.getMetadata().getName();
        manifest.getMetadata().setNamespace(namespace);
        GenericKubernetesResource before = asking(() -> resource(kind, name).get());
        GenericKubernetesResource after = asking(() -> resource(kind, manifest)
                .dryRun(dryRun)
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .fieldManager(MANAGER)
                .forceConflicts()
                .serverSideApply());
        Change.Kind how = before == null
                ? Change.Kind.CREATED
                : content(before).equals(content(after)) ? Change.Kind.UNCHANGED : Change.Kind.UPDATED;
        if (!dryRun && how != Change.Kind.UNCHANGED) {
            undo.add(() -> putBack(kind, name, before));
        }
        return new Change(how, kind.kind(), name, Manifests.text(manifest));
    }

    /** Returns an object without the fields that the server maintains. */
    private static Map<String, Object> content(GenericKubernetesResource object) {
        Map<String, Object> content = new TreeMap<>(object.getAdditionalProperties());
        content.remove("status");
        ObjectMeta meta = object.getMetadata();
        content.put("labels", Objects.requireNonNullElse(meta.getLabels(), Map.of()));
        content.put("annotations", Objects.requireNonNullElse(meta.getAnnotations(), Map.of()));
        return content;
    }

    private void putBack(Kind kind, String name, @Nullable GenericKubernetesResource before) {
        if (before == null) {
            asking(() -> resource(kind, name).delete());
            return;
        }
        before.getMetadata().setResourceVersion(null);
        before.getMetadata().setManagedFields(null);
        asking(() -> resource(kind, Objects.requireNonNull(before)).update());
    }

    /** Deletes an object and everything it owns. */
    Change remove(Kind kind, GenericKubernetesResource object, boolean dryRun, Undo undo) {
        String name = object.getMetadata().getName();
        if (!dryRun) {
            List<StatusDetails> deleted = asking(() -> resource(kind, name).delete());
            if (!deleted.isEmpty()) {
                undo.add(() -> {
                    object.getMetadata().setResourceVersion(null);
                    object.getMetadata().setUid(null);
                    object.getMetadata().setManagedFields(null);
                    asking(() -> resource(kind, object).create());
                });
            }
        }
        return new Change(Change.Kind.REMOVED, kind.kind(), name, "");
    }

    /** Removes the objects of these kinds that belong to a λFS cluster, except those named. */
    List<Change> removeAll(List<Kind> kinds, String cluster, List<String> stay, boolean dryRun, Undo undo) {
        List<Change> changes = new ArrayList<>();
        for (Kind kind : kinds) {
            for (GenericKubernetesResource each : list(kind, cluster)) {
                if (!stay.contains(kind.kind() + "/" + each.getMetadata().getName())) {
                    changes.add(remove(kind, each, dryRun, undo));
                }
            }
        }
        return changes;
    }

    /** Sends a request to the API server, and translates its refusals. */
    static <T> T asking(Supplier<T> question) {
        try {
            return question.get();
        } catch (KubernetesClientException e) {
            throw failure(e);
        }
    }

    private static DeployFailure failure(KubernetesClientException e) {
        String said = e.getStatus() == null
                ? String.valueOf(e.getMessage())
                : String.valueOf(e.getStatus().getMessage());
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException || (cause instanceof IOException && e.getCode() == 0)) {
                String why = cause.getMessage() == null ? "" : ": " + cause.getMessage();
                return failure(Problem.Code.UNREACHABLE, "the API server does not answer" + why, e);
            }
        }
        Problem.Code code = switch (e.getCode()) {
            case 401 -> Problem.Code.CREDENTIALS;
            case 403 -> said.contains("exceeded quota") ? Problem.Code.QUOTA : Problem.Code.FORBIDDEN;
            case 409 -> Problem.Code.NAME_TAKEN;
            case 400, 422 -> Problem.Code.CONFIGURATION;
            default -> Problem.Code.PLATFORM_FAILED;
        };
        return failure(code, "the API server refuses: " + said, e);
    }

    private static DeployFailure failure(Problem.Code code, String what, KubernetesClientException cause) {
        String change = switch (code) {
            case UNREACHABLE -> "check --kubeconfig and --context, and that the API server runs";
            case CREDENTIALS -> "renew the kubeconfig's credentials";
            case FORBIDDEN -> "have the right bound to the kubeconfig's user";
            case QUOTA -> "have it raised, or deploy with less --memory or --min-instances";
            default -> "";
        };
        return new DeployFailure(Problem.fault(code, what, change), cause);
    }

    @Override
    public void close() {
        client.close();
    }
}
