package io.lambdafs.platform.kubernetes;

import static io.lambdafs.platform.kubernetes.HelmChart.file;
import static io.lambdafs.platform.kubernetes.HelmChart.find;
import static io.lambdafs.platform.kubernetes.HelmChart.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what the chart renders. Skipped where there is no helm on the PATH, and {@code LAMBDAFS_HELM} names none. */
class HelmChartTest {
    private HelmChart chart;

    @BeforeEach
    void findHelm() {
        chart = HelmChart.find();
    }

    @Test
    void shouldPassLint() throws Exception {
        HelmChart.Run run = chart.helm("lint", "--strict", HelmChart.PLACE.toString());

        assertThat(run.code()).as(run.output()).isZero();
    }

    @Test
    void shouldRunEverythingWithoutRights() throws Exception {
        List<HasMetadata> all = chart.rendered(
                "--set",
                "datanode.replicas=2,datanode.blocks=s3://b/p,gateway.replicas=2,store.engine=ndb,store.ndb.image=mysql:ndb");
        assertThat(HelmChart.pods(all)).hasSize(13).allSatisfy((name, template) -> {
            PodSpec pod = template.getSpec();
            assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
            List<Container> containers = new ArrayList<>(pod.getContainers());
            containers.addAll(pod.getInitContainers());
            assertThat(containers).allSatisfy(container -> {
                assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                        .isTrue();
                assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                        .isFalse();
                assertThat(container.getSecurityContext().getCapabilities().getDrop())
                        .containsExactly("ALL");
                assertThat(container.getResources().getLimits()).containsKey("memory");
            });
        });
    }

    @Test
    void shouldServeDoorsOnTheirPodsLoopbackAlone() throws Exception {
        List<HasMetadata> all = chart.rendered("--set", "doors.open={hdfs,webhdfs}");

        PodSpec pod = find(all, Deployment.class, "fs-lambdafs-doors")
                .getSpec()
                .getTemplate()
                .getSpec();
        assertThat(pod.getContainers()).extracting(Container::getName).containsExactly("hdfs", "webhdfs");
        assertThat(pod.getContainers().get(0).getCommand())
                .containsExactly("java", "@/app/roles/door-hdfs", "/etc/lambdafs/door-hdfs.json");
        assertThat(file(all, "door-hdfs.json"))
                .contains(
                        "\"listenAddress\":\"127.0.0.1\"",
                        "\"authentication\":\"simple\"",
                        "\"port\":8020",
                        "\"dataPort\":9866");
        assertThat(find(all, NetworkPolicy.class, "fs-lambdafs-doors").getSpec().getIngress())
                .hasSize(1);
        assertThat(chart.rendered())
                .noneMatch(each -> each.getMetadata().getName().equals("fs-lambdafs-doors"));
        List<HasMetadata> s3 = chart.rendered("--set", "doors.open={s3},doors.s3.keysSecret=keys");
        assertThat(file(s3, "door-s3.json"))
                .contains("\"keysFile\":\"/etc/lambdafs-s3/s3-keys.json\"", "\"port\":9000");
        assertThat(chart.template("--set", "doors.open={s3}").output()).contains("doors.s3.keysSecret");
        HelmChart.Run refused = chart.template("--set", "doors.open={hdfs},doors.listen=0.0.0.0");
        assertThat(refused.code()).isNotZero();
        assertThat(refused.output()).contains("it listens at 127.0.0.1 alone, not at 0.0.0.0");
    }

    @Test
    void shouldTellTheGatewayAndTheInstancesTheSame() throws Exception {
        List<HasMetadata> all =
                chart.rendered("--set", "fileSystem.deployments=7,instance.memoryMb=400,logLevel=DEBUG");

        assertThat(file(all, "function.json"))
                .contains(
                        "\"deployments\":7",
                        "\"logLevel\":\"DEBUG\"",
                        "\"leaseMillis\":1800",
                        "\"store\":\"fs-lambdafs-store:7000\"");
        assertThat(file(all, "pod.yaml")).contains("image: \"lambdafs:0.1.0");
        assertThat(file(chart.rendered("--set", "instance.image=mine:2"), "pod.yaml"))
                .contains("image: \"mine:2\"");
        assertThat(file(all, "kubernetes.json"))
                .contains("\"deployments\":7", "\"memoryMb\":400", "\"deployment\":\"fs-lambdafs-gateway\"");
        assertThat(find(all, ConfigMap.class, "fs-lambdafs-client").getData().get("client.json"))
                .contains("\"deployments\":7", "http://fs-lambdafs-gateway.default.svc:8080");
    }

    /** As the instances derive them ({@link io.lambdafs.model.time.Times#from}). */
    @Test
    void shouldGiveTheStoreAndClientsTheTimesThatFollowFromTheInstances() throws Exception {
        assertThat(file(chart.rendered(), "store.json"))
                .contains("\"lockWaitMillis\":3000", "\"transactionLimitMillis\":5000");
        List<HasMetadata> slow = chart.rendered("--set", "instance.ackWaitMillis=10000,instance.leaseMillis=5000");
        assertThat(file(slow, "store.json")).contains("\"lockWaitMillis\":15200", "\"transactionLimitMillis\":17200");
        assertThat(find(slow, ConfigMap.class, "fs-lambdafs-client").getData().get("client.json"))
                .contains("\"attemptMillis\":19200");
    }

    @Test
    void shouldLetInstancesSignUrlsOfAnObjectStore() throws Exception {
        List<HasMetadata> all = chart.rendered(
                "--set",
                "datanode.enabled=false,datanode.direct=true,datanode.blocks=s3://b/p,datanode.credentials=keys");

        assertThat(file(all, "function.json")).contains("\"directStores\":{\"blocks\":\"s3://b/p\"}");
        assertThat(file(all, "pod.yaml")).contains("secretRef: {name: \"keys\"}");
        assertThat(all).noneMatch(each -> each.getMetadata().getName().endsWith("-datanode"));
        assertThat(chart.template("--set", "datanode.direct=true,datanode.blocks=s3://b/p")
                        .output())
                .contains("datanode.credentials");
    }

    @Test
    void shouldMakeSecretsThatServicesRead() throws Exception {
        Secret secret = find(chart.rendered(), Secret.class, "fs-lambdafs");

        assertThat(text(secret, "secret")).matches("[0-9a-f]{64}");
        assertThat(text(secret, "apikey")).matches("lambdafs:[0-9a-f]{64}").isNotEqualTo(text(secret, "managementkey"));
        assertThat(text(secret, "actionkey")).matches("[0-9a-f]{64}").isNotEqualTo(text(secret, "secret"));
    }

    @Test
    void shouldTakeASecretThatExists() throws Exception {
        List<HasMetadata> all = chart.rendered("--set", "secrets.existing=mine");

        assertThat(all).noneMatch(Secret.class::isInstance);
        assertThat(file(all, "pod.yaml")).contains("secretName: mine", "name: mine, key: actionkey");
    }

    @Test
    void shouldLetTheGatewayReadItsOwnDeploymentAndPodsAlone() throws Exception {
        HelmChart.Run run = chart.template("--show-only", "templates/gateway.yaml");

        assertThat(run.output())
                .contains("resources: [pods]", "resourceNames: [fs-lambdafs-gateway]")
                .doesNotContain("secrets]", "ClusterRole");
    }

    @Test
    void shouldRefuseValuesThatMakeNoSense() throws Exception {
        assertThat(chart.template("--set", "fileSystem.deployments=0").output()).contains("deployments");
        assertThat(chart.template("--set", "store.fsink=false").output()).contains("fsink");
        assertThat(chart.template("--set", "datanode.replicas=2").output()).contains("must share an object store");
        assertThat(chart.template("--set", "coordinator.kind=zookeeper").output())
                .contains("coordinator.zookeeper is missing");
        assertThat(chart.template("--set", "store.engine=postgres").output()).contains("url and user are missing");
        assertThat(chart.template("--set", "store.engine=ndb").output()).contains("store.ndb.image is missing");
        assertThat(chart.template("--set", "tls.enabled=true,clients.gateway=http://fs.example.com")
                        .output())
                .contains("with TLS it is https");
    }

    @Test
    void shouldHaveGatewaysWaitForTheOneThatLeads() throws Exception {
        List<HasMetadata> all = chart.rendered("--set", "gateway.replicas=2");

        Deployment gateways = find(all, Deployment.class, "fs-lambdafs-gateway");
        assertThat(gateways.getSpec().getReplicas()).isEqualTo(2);
        assertThat(gateways.getSpec().getStrategy().getType()).isEqualTo("RollingUpdate");
        assertThat(gateways.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getEnv())
                .anyMatch(each -> each.getName().equals("LAMBDAFS_POD"));
        assertThat(file(all, "kubernetes.json")).contains("\"lease\":\"fs-lambdafs-gateway\"");
        assertThat(find(all, Service.class, "fs-lambdafs-gateway").getSpec().getSelector())
                .containsEntry(Leadership.LABEL, "true");
        assertThat(find(all, Role.class, "fs-lambdafs-gateway").getRules())
                .anySatisfy(rule -> assertThat(rule.getResources()).containsExactly("leases"))
                .anySatisfy(rule -> assertThat(rule.getVerbs()).contains("patch", "deletecollection"));
        assertThat(find(chart.rendered(), Service.class, "fs-lambdafs-gateway")
                        .getSpec()
                        .getSelector())
                .doesNotContainKey(Leadership.LABEL);
    }

    @Test
    void shouldLeaveFunctionsToAnotherPlatform() throws Exception {
        List<HasMetadata> all = chart.rendered("--set", "gateway.enabled=false");

        assertThat(all).noneMatch(each -> each.getMetadata().getName().contains("gateway"));
        assertThat(find(all, ConfigMap.class, "fs-lambdafs").getData())
                .containsOnlyKeys("function.json", "store.json", "datanode.json");
        find(all, StatefulSet.class, "fs-lambdafs-store");
        assertThat(find(all, Job.class, "fs-lambdafs-format-1")
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getCommand())
                .contains("format");
        assertThat(find(all, NetworkPolicy.class, "fs-lambdafs-store")
                        .getSpec()
                        .getIngress()
                        .get(0)
                        .getFrom())
                .as("pods of another platform reach the store")
                .isEmpty();
        assertThat(chart.rendered()).noneMatch(Job.class::isInstance);
    }

    @Test
    void shouldKeepMetadataInAPostgresThatRuns() throws Exception {
        List<HasMetadata> all = chart.rendered(
                "--set",
                "store.engine=postgres,store.postgres.url=jdbc:postgresql://db:5432/fs,store.postgres.user=fs,store.postgres.secret=db");

        StatefulSet stores = find(all, StatefulSet.class, "fs-lambdafs-store");
        assertThat(stores.getSpec().getReplicas()).isEqualTo(2);
        assertThat(stores.getSpec().getVolumeClaimTemplates()).isEmpty();
        PodSpec pod = stores.getSpec().getTemplate().getSpec();
        assertThat(pod.getContainers().get(0).getCommand()).contains("@/app/roles/store-postgres");
        assertThat(pod.getVolumes())
                .anySatisfy(volume -> assertThat(volume.getSecret())
                        .isNotNull()
                        .satisfies(secret -> assertThat(secret.getSecretName()).isEqualTo("db")));
        assertThat(file(all, "store.json"))
                .contains(
                        "\"jdbcUrl\":\"jdbc:postgresql://db:5432/fs\"",
                        "\"passwordFile\":\"/etc/lambdafs-database/password\"",
                        "\"standby\":true")
                .doesNotContain("directory");
        assertThat(file(all, "function.json"))
                .contains("\"store\":\"fs-lambdafs-store-0:7000,fs-lambdafs-store-1:7000\"");
        find(all, Service.class, "fs-lambdafs-store-1");
    }

    @Test
    void shouldRunAnNdbOfItsOwnOrTakeOneThatRuns() throws Exception {
        List<HasMetadata> all =
                chart.rendered("--set", "store.engine=ndb,store.ndb.image=mysql:ndb,store.ndb.replicas=2");

        assertThat(find(all, ConfigMap.class, "fs-lambdafs-ndb").getData().get("config.ini"))
                .contains(
                        "NoOfReplicas=2",
                        "DataMemory=1024M",
                        "HostName=fs-lambdafs-ndb-management-0.fs-lambdafs-ndb-nodes.default.svc\n",
                        "HostName=fs-lambdafs-ndb-data-1.fs-lambdafs-ndb-nodes.default.svc\n")
                .containsPattern("(?s)(\\[api].*){8}");
        StatefulSet data = find(all, StatefulSet.class, "fs-lambdafs-ndb-data");
        assertThat(data.getSpec().getReplicas()).isEqualTo(2);
        assertThat(data.getSpec().getVolumeClaimTemplates()).hasSize(1);
        assertThat(file(all, "store.json")).contains("\"connect\":\"fs-lambdafs-ndb:1186\"");
        PodSpec store = find(all, StatefulSet.class, "fs-lambdafs-store")
                .getSpec()
                .getTemplate()
                .getSpec();
        assertThat(store.getInitContainers())
                .singleElement()
                .satisfies(client -> assertThat(client.getImage()).isEqualTo("mysql:ndb"));
        assertThat(store.getContainers().get(0).getCommand()).contains("@/app/roles/store-ndb");
        assertThat(store.getContainers().get(0).getEnv())
                .anyMatch(each -> each.getName().equals("LD_LIBRARY_PATH"));

        List<HasMetadata> external =
                chart.rendered("--set", "store.engine=ndb,store.ndb.image=mysql:ndb,store.ndb.connect=ndb:1186");
        assertThat(external).noneMatch(each -> each.getMetadata().getName().startsWith("fs-lambdafs-ndb"));
        assertThat(file(external, "store.json")).contains("\"connect\":\"ndb:1186\"");
    }

    @Test
    void shouldDeleteClaimsWithTheReleaseOnlyWhereTold() throws Exception {
        assertThat(chart.template().output()).contains("whenDeleted: Retain", "helm.sh/resource-policy: keep");
        assertThat(chart.template("--set", "store.persistence.keep=false,datanode.persistence.keep=false")
                        .output())
                .contains("whenDeleted: Delete")
                .doesNotContain("Retain", "resource-policy");
    }
}
