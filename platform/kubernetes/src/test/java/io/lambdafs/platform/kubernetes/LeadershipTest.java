package io.lambdafs.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Gateways that ask a fake API server for one Lease. */
@EnableKubernetesMockClient(crud = true)
class LeadershipTest {
    private static final String LEASE = "fs-gateway";
    private static final OwnerReference OWNER = new OwnerReferenceBuilder()
            .withApiVersion("apps/v1")
            .withKind("Deployment")
            .withName("fs-gateway")
            .withUid("1")
            .build();
    private static final Leadership.Times TIMES =
            new Leadership.Times(Duration.ofSeconds(60), Duration.ofSeconds(50), Duration.ofMillis(50));

    /** Set by the extension. */
    private KubernetesClient client;

    private final AtomicInteger lost = new AtomicInteger();

    @BeforeEach
    void makePods() {
        for (String name : new String[] {"one", "two"}) {
            // As a container finds its pod that was started anew in it after it had led.
            client.pods()
                    .resource(new PodBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .addToLabels("app", "gateway")
                            .addToLabels(Leadership.LABEL, "true")
                            .endMetadata()
                            .build())
                    .create();
        }
    }

    private Leadership seek(String pod) {
        return seek(pod, TIMES);
    }

    private Leadership seek(String pod, Leadership.Times times) {
        return Leadership.seek(client, new Leadership.Candidate(LEASE, pod, OWNER), times, lost::incrementAndGet);
    }

    private Map<String, String> labels(String pod) {
        Pod found = client.pods().withName(pod).get();
        return found.getMetadata().getLabels();
    }

    private static void awaitLeading(Leadership leadership) {
        await().until(() -> leadership.leads().toCompletableFuture().isDone());
    }

    @Test
    @SuppressWarnings("try") // The first one leaves in the middle.
    void shouldHaveOneLeadUntilItGivesTheLeaseBack() {
        try (Leadership one = seek("one")) {
            awaitLeading(one);
            one.takeCalls();
            assertThat(client.leases().withName(LEASE).get().getMetadata().getOwnerReferences())
                    .as("goes with the Deployment")
                    .isNotEmpty()
                    .containsOnly(OWNER);
            try (Leadership two = seek("two")) {
                assertThat(labels("one")).containsEntry(Leadership.LABEL, "true");
                assertThat(labels("two").get(Leadership.LABEL)).isNull();
                await().during(Duration.ofMillis(300))
                        .until(() -> !two.leads().toCompletableFuture().isDone());

                one.close();

                awaitLeading(two);
            }
        }
        assertThat(lost).hasValue(0);
    }

    @Test
    void shouldGiveUpWhereAnotherHasTakenTheLease() {
        try (Leadership one = seek(
                "one", new Leadership.Times(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(50)))) {
            awaitLeading(one);
            // Between two renewals, which change it too.
            await().ignoreExceptions()
                    .untilAsserted(() -> client.leases().withName(LEASE).edit(LeadershipTest::takenByAnother));

            await().until(() -> lost.get() == 1);
        }
    }

    private static Lease takenByAnother(Lease lease) {
        return new LeaseBuilder(lease)
                .editSpec()
                .withHolderIdentity("three")
                .endSpec()
                .build();
    }
}
