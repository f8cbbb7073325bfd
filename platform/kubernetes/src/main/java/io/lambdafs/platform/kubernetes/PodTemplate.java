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

/**
 * The pod of an instance, but for what differs from instance to instance: its name, its memory, and the environment variables {@code
 * LAMBDAFS_INSTANCE_ID} and {@code LAMBDAFS_MEMORY_MB}. Immutable.
 */
final class PodTemplate {
    /** The label by which a gateway knows its pods: its value is the name of the gateway's Deployment. */
    static final String GATEWAY_LABEL = "lambdafs.io/gateway";

    /** The label with an instance's id. */
    static final String INSTANCE_LABEL = "lambdafs.io/instance";

    private static final String MEMORY = "memory";

    private final Pod template;

    private PodTemplate(Pod template) {
        this.template = template;
    }

    /**
     * Reads YAML.
     *
     * @throws IllegalArgumentException when it is no pod with one container
     */
    static PodTemplate parse(String yaml) {
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
        return new PodTemplate(pod);
    }

    /** The pod of one instance. */
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
                                .withName("LAMBDAFS_MEMORY_MB")
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
