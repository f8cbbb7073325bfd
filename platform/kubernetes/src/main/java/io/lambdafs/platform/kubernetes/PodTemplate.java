package io.lambdafs.platform.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.lambdafs.model.Sha256;
import java.util.HexFormat;

/**
 * The pod of an instance, except for the parts that differ between instances: its name, its memory, and the environment
 * variables {@code LAMBDAFS_INSTANCE_ID} and {@code LAMBDAFS_MEMORY_MB}. Immutable.
 */
final class PodTemplate {
    /** The label by which a gateway recognises its pods; its value is the name of the gateway's Deployment. */
    static final String GATEWAY_LABEL = "lambdafs.io/gateway";

    /** The label with an instance's id. */
    static final String INSTANCE_LABEL = "lambdafs.io/instance";

    /** The environment variable with an instance's memory. */
    static final String MEMORY_VARIABLE = "LAMBDAFS_MEMORY_MB";

    /** The label that identifies pods made from the same template with the same configuration. */
    private static final String TEMPLATE_LABEL = "lambdafs.io/template";

    private static final int DIGEST_BYTES = 8;
    private static final String MEMORY = "memory";

    private final Pod template;
    private final String digest;

    private PodTemplate(Pod template, String digest) {
        this.template = template;
        this.digest = digest;
    }

    /**
     * Reads YAML.
     *
     * @throws IllegalArgumentException when it is no pod with one container
     */
    static PodTemplate parse(String yaml) {
        return parse(yaml, "");
    }

    /**
     * Reads YAML.
     *
     * @param configuration further files that instances read
     * @throws IllegalArgumentException when it is no pod with one container
     */
    static PodTemplate parse(String yaml, String configuration) {
        Pod pod;
        try {
            pod = Serialization.unmarshal(yaml, Pod.class);
        } catch (KubernetesClientException | IllegalArgumentException | ClassCastException e) {
            throw new IllegalArgumentException("the pod template is no Pod: " + e.getMessage(), e);
        }
        if (pod == null
                || pod.getSpec() == null
                || pod.getSpec().getContainers().size() != 1) {
            throw new IllegalArgumentException("the pod template is no Pod with one container");
        }
        return new PodTemplate(pod, digest(yaml + "\0" + configuration));
    }

    private static String digest(String text) {
        return HexFormat.of().formatHex(Sha256.of(text), 0, DIGEST_BYTES);
    }

    /** Returns whether a pod was made from this template, with the same configuration. */
    boolean isOf(Pod pod) {
        return digest.equals(pod.getMetadata().getLabels().get(TEMPLATE_LABEL));
    }

    /** Returns the pod of one instance. */
    Pod pod(String instanceId, int memoryMb, OwnerReference owner) {
        Quantity memory = new Quantity(memoryMb + "Mi");
        Container container = new ContainerBuilder(
                        template.getSpec().getContainers().get(0))
                .addToEnv(
                        new EnvVarBuilder()
                                .withName("LAMBDAFS_INSTANCE_ID")
                                .withValue(instanceId)
                                .build(),
                        new EnvVarBuilder()
                                .withName(MEMORY_VARIABLE)
                                .withValue(Integer.toString(memoryMb))
                                .build())
                .editOrNewResources()
                .addToRequests(MEMORY, memory)
                .addToLimits(MEMORY, memory)
                .endResources()
                .build();
        return new PodBuilder(template)
                .editOrNewMetadata()
                .withName(name(owner.getName(), instanceId))
                .addToLabels(GATEWAY_LABEL, owner.getName())
                .addToLabels(INSTANCE_LABEL, instanceId)
                .addToLabels(TEMPLATE_LABEL, digest)
                .withOwnerReferences(owner)
                .endMetadata()
                .editSpec()
                .withRestartPolicy("Never")
                .withContainers(container)
                .endSpec()
                .build();
    }

    private static String name(String deployment, String instanceId) {
        return deployment + "-" + instanceId;
    }
}
