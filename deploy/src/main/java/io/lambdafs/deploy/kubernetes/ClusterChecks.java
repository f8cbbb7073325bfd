package io.lambdafs.deploy.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Problem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Checks whether a namespace would refuse the deployment: rights, names, quotas, limits. Changes nothing. Confined to
 * one thread.
 */
final class ClusterChecks {
    private static final List<String> VERBS = List.of("get", "list", "create", "patch", "delete");
    private static final BigDecimal MEGABYTE = BigDecimal.valueOf(1 << 20);

    private final Cluster cluster;
    private final FunctionsSpec wanted;
    private final List<Problem> problems = new ArrayList<>();

    ClusterChecks(Cluster cluster, FunctionsSpec wanted) {
        this.cluster = cluster;
        this.wanted = wanted;
    }

    List<Problem> problems() {
        return problems;
    }

    /** Checks that an image is named. */
    ClusterChecks image() {
        if (wanted.image().isEmpty()) {
            problems.add(Problem.fault(
                    Problem.Code.IMAGE,
                    "no image is given for the functions",
                    "make one with lambdafs image, push it where the cluster pulls from, and name it with --image"));
        }
        return this;
    }

    /** Checks that the user has all rights that the deployment needs. */
    ClusterChecks rights(List<Kind> kinds) {
        List<String> missing = new ArrayList<>();
        for (Kind kind : kinds) {
            List<String> refused =
                    VERBS.stream().filter(verb -> !may(verb, kind)).toList();
            if (!refused.isEmpty()) {
                missing.add(String.join(", ", refused) + " " + kind.label());
            }
        }
        if (!missing.isEmpty()) {
            problems.add(Problem.fault(
                    Problem.Code.FORBIDDEN,
                    "the kubeconfig's user may not " + String.join("; nor ", missing) + " in namespace "
                            + cluster.namespace(),
                    "have a Role with these rights bound to it, or name another namespace with --namespace"));
        }
        return this;
    }

    private boolean may(String verb, Kind kind) {
        SelfSubjectAccessReview question = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withNamespace(cluster.namespace())
                .withVerb(verb)
                .withGroup(kind.group())
                .withResource(kind.plural())
                .endResourceAttributes()
                .endSpec()
                .build();
        SelfSubjectAccessReview answer = Cluster.asking(() ->
                cluster.client().authorization().v1().selfSubjectAccessReview().create(question));
        return answer.getStatus() == null
                || Boolean.TRUE.equals(answer.getStatus().getAllowed());
    }

    /** Checks that the namespace exists. */
    ClusterChecks namespace() {
        try {
            boolean isThere =
                    cluster.client().namespaces().withName(cluster.namespace()).get() != null;
            if (!isThere) {
                problems.add(Problem.fault(
                        Problem.Code.CONFIGURATION,
                        "there is no namespace " + cluster.namespace(),
                        "make it, or name another one with --namespace"));
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() != 403) {
                throw e;
            }
            // A user who may not see namespaces finds out when applying.
        }
        return this;
    }

    /** Checks that the names to create are free, or ours. */
    ClusterChecks names(Kind kind, List<String> names) {
        for (String name : names) {
            var found = Cluster.asking(() -> cluster.resource(kind, name).get());
            Map<String, String> labels =
                    found == null ? null : found.getMetadata().getLabels();
            if (found != null && (labels == null || !wanted.cluster().equals(labels.get(Cluster.LABEL)))) {
                problems.add(Problem.fault(
                        Problem.Code.NAME_TAKEN,
                        "there is a " + kind.kind() + " " + name + " in namespace " + cluster.namespace()
                                + " that is none of this cluster",
                        "name the cluster otherwise with --cluster, or remove it"));
            }
        }
        return this;
    }

    /**
     * Checks that the namespace's quotas leave room for one instance of each function, or for the instances to keep.
     */
    ClusterChecks quota() {
        try {
            for (ResourceQuota quota : cluster.client()
                    .resourceQuotas()
                    .inNamespace(cluster.namespace())
                    .list()
                    .getItems()) {
                Map<String, Quantity> hard =
                        quota.getSpec() == null ? null : quota.getSpec().getHard();
                for (String key : List.of("limits.memory", "requests.memory", "memory")) {
                    Quantity limit = hard == null ? null : hard.get(key);
                    if (limit != null) {
                        compare(quota, key, limit);
                    }
                }
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() != 403) {
                throw e;
            }
        }
        return this;
    }

    private void compare(ResourceQuota quota, String key, Quantity limit) {
        Map<String, Quantity> used =
                quota.getStatus() == null ? null : quota.getStatus().getUsed();
        Quantity taken = used == null ? null : used.get(key);
        long leftMb = megabytes(limit) - (taken == null ? 0 : megabytes(taken));
        long least = (long) Math.max(1, wanted.minInstances() * wanted.deployments()) * wanted.memoryMb();
        long each = (long) wanted.deployments() * wanted.memoryMb();
        String what = "the quota " + quota.getMetadata().getName() + " of namespace " + cluster.namespace() + " leaves "
                + leftMb + " MB of " + key + ", and ";
        if (leftMb < least) {
            problems.add(Problem.fault(
                    Problem.Code.QUOTA,
                    what + least + " MB are needed for "
                            + (wanted.minInstances() == 0 ? "one instance" : "the kept ones"),
                    "raise it, or deploy with less --memory or --min-instances"));
        } else if (leftMb < each) {
            problems.add(Problem.advice(
                    Problem.Code.QUOTA,
                    what + each + " MB are needed for one instance of each function",
                    "raise it: without, functions wait for each other's memory"));
        }
    }

    static long megabytes(Quantity quantity) {
        return Quantity.getAmountInBytes(quantity)
                .divideToIntegralValue(MEGABYTE)
                .longValue();
    }

    /** Runs checks, and turns a failed request into a fault. */
    static List<Problem> of(Cluster cluster, FunctionsSpec wanted, Consumer<ClusterChecks> checks) {
        ClusterChecks all = new ClusterChecks(cluster, wanted);
        try {
            Cluster.asking(() -> {
                checks.accept(all);
                return true;
            });
        } catch (DeployFailure failure) {
            all.problems.add(failure.problem());
        }
        return all.problems;
    }
}
