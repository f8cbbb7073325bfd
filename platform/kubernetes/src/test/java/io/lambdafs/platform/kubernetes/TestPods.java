package io.lambdafs.platform.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Pods as a gateway finds them on an API server without controllers or kubelets. Stateless. */
final class TestPods {
    private TestPods() {}

    /** Creates the Deployment that owns a gateway's pods. */
    static void makeGateway(KubernetesClient client, String name) {
        client.apps()
                .deployments()
                .resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Returns the pod as a kubelet reports it while it runs. */
    static Pod running(Pod pod, String address) {
        return new PodBuilder(pod)
                .withNewStatus()
                .withPhase("Running")
                .withPodIP(address)
                .addNewContainerStatus()
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }
}
