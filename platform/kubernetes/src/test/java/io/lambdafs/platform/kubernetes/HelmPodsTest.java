package io.lambdafs.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the chart's pods run, as whom, and with what beside. */
class HelmPodsTest {
    /** All roles: several of each, an NDB. */
    private static final String ALL =
            "datanode.replicas=2,datanode.blocks=s3://b/p,gateway.replicas=2,store.engine=ndb,store.ndb.image=mysql:ndb";

    @TempDir
    private Path directory;

    private HelmChart chart;

    @BeforeEach
    void findHelm() {
        chart = HelmChart.find();
    }

    private Map<String, PodTemplateSpec> pods(String... arguments) throws Exception {
        return HelmChart.pods(chart.rendered(arguments));
    }

    @Test
    void shouldLeaveTheUserToThePlatform() throws Exception {
        for (String none : List.of("null", "")) {
            Map<String, PodTemplateSpec> pods = pods("--set", ALL, "--set", "runAs=" + none);
            assertThat(chart.template("--set", ALL, "--set", "runAs=" + none).output())
                    .doesNotContain("runAsUser", "runAsGroup", "fsGroup");
            assertThat(pods).hasSizeGreaterThan(10).allSatisfy((name, pod) -> {
                assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isNull();
                assertThat(pod.getSpec().getSecurityContext().getRunAsGroup()).isNull();
                assertThat(pod.getSpec().getSecurityContext().getFsGroup()).isNull();
                assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
            });
        }
        assertThat(pods("--set", "gateway.enabled=false,runAs=null"))
                .containsKey("fs-lambdafs-format-1")
                .allSatisfy((name, pod) -> assertThat(
                                pod.getSpec().getSecurityContext().getRunAsUser())
                        .isNull());
        assertThat(pods("--set", "runAs=0")).allSatisfy((name, pod) -> {
            assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isZero();
            assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isFalse();
        });
        Path values = Files.writeString(directory.resolve("values.yaml"), "runAs: 1000740000");
        assertThat(chart.template("-f", values.toString()).output())
                .as("YAML's number, of OpenShift's range")
                .contains("runAsUser: 1000740000\n");
        assertThat(pods()).allSatisfy((name, pod) -> {
            assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isEqualTo(10_001);
            assertThat(pod.getSpec().getSecurityContext().getFsGroup()).isEqualTo(10_001);
        });
    }

    @Test
    void shouldGiveEveryPodWhatAllShallHave() throws Exception {
        Path values = Files.writeString(directory.resolve("values.yaml"), """
                podAnnotations: {sidecar.istio.io/inject: false}
                podLabels: {team: 7}
                extraEnv: [{name: TZ, value: 0}, {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
                extraVolumes: [{name: more, emptyDir: {}}]
                extraVolumeMounts: [{name: more, mountPath: /more}]
                affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}}
                tolerations: [{key: only, operator: Exists}]
                nodeSelector: {disk: fast}
                priorityClassName: high
                topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]
                gateway: {pod: {podLabels: {team: 8}, priorityClassName: higher, tolerations: [], nodeSelector: {gateways: yes}}}
                """);
        Map<String, PodTemplateSpec> pods = pods("--set", ALL, "-f", values.toString());

        assertThat(pods).hasSizeGreaterThan(10).allSatisfy((name, pod) -> {
            boolean isGateway = name.equals("fs-lambdafs-gateway");
            assertThat(pod.getMetadata().getAnnotations()).containsEntry("sidecar.istio.io/inject", "false");
            assertThat(pod.getMetadata().getLabels())
                    .containsEntry("team", isGateway ? "8" : "7")
                    .containsEntry("app.kubernetes.io/instance", "fs");
            PodSpec spec = pod.getSpec();
            assertThat(spec.getAffinity().getNodeAffinity()).isNotNull();
            assertThat(spec.getTolerations()).hasSize(1);
            assertThat(spec.getNodeSelector()).containsEntry("disk", "fast");
            assertThat(spec.getPriorityClassName()).isEqualTo(isGateway ? "higher" : "high");
            assertThat(spec.getTopologySpreadConstraints())
                    .singleElement()
                    .satisfies(each -> assertThat(each.getTopologyKey()).isEqualTo("zone"));
            assertThat(spec.getVolumes()).anyMatch(each -> each.getName().equals("more"));
            for (Container each : spec.getContainers()) {
                assertThat(each.getEnv())
                        .anyMatch(env -> env.getName().equals("TZ") && "0".equals(env.getValue()))
                        .anyMatch(env -> env.getName().equals("NODE") && env.getValueFrom() != null);
                assertThat(each.getVolumeMounts())
                        .anyMatch(mount -> mount.getMountPath().equals("/more"));
            }
        });
        assertThat(pods.get("fs-lambdafs-gateway").getSpec().getNodeSelector()).containsEntry("gateways", "true");
        assertThat(pods.get("fs-lambdafs-store").getSpec().getNodeSelector()).doesNotContainKey("gateways");
    }

    @Test
    void shouldGiveARoleWhatItAloneShallHave() throws Exception {
        for (Map.Entry<String, String> role : Map.of(
                        "gateway", "fs-lambdafs-gateway",
                        "instance", "instance",
                        "store", "fs-lambdafs-store",
                        "store.ndb", "fs-lambdafs-ndb-data",
                        "datanode", "fs-lambdafs-datanode",
                        "tools", "fs-lambdafs-fsck")
                .entrySet()) {
            Map<String, PodTemplateSpec> pods =
                    pods("--set", ALL, "--set", role.getKey() + ".pod.priorityClassName=own");
            assertThat(pods.get(role.getValue()).getSpec().getPriorityClassName())
                    .isEqualTo("own");
            assertThat(pods.values())
                    .as(role.getKey())
                    .filteredOn(each -> each.getSpec().getPriorityClassName() == null)
                    .hasSizeGreaterThan(3);
        }
        assertThat(chart.template("--set", "gateway.pod.nodeSelectr.a=b").output())
                .contains("nodeSelectr");
    }

    @Test
    void shouldSpreadReplicasOverNodes() throws Exception {
        Map<String, PodTemplateSpec> pods = pods("--set", ALL);
        for (String each : List.of("gateway", "store", "datanode", "ndb-data")) {
            assertThat(pods.get("fs-lambdafs-" + each).getSpec().getTopologySpreadConstraints())
                    .as(each)
                    .singleElement()
                    .satisfies(spread -> assertThat(spread.getLabelSelector().getMatchLabels())
                            .containsEntry("app.kubernetes.io/component", each)
                            .containsEntry("app.kubernetes.io/instance", "fs"));
        }
    }

    @Test
    void shouldRunEachRoleUnderAnAccountOfItsOwn() throws Exception {
        List<HasMetadata> all = chart.rendered(
                "--set",
                ALL,
                "--set",
                "store.serviceAccount.annotations.role=1,instance.serviceAccount.name=made,gateway.serviceAccount.annotations.role=2");
        Map<String, PodTemplateSpec> pods = HelmChart.pods(all);

        assertThat(pods.get("fs-lambdafs-store").getSpec().getServiceAccountName())
                .isEqualTo("fs-lambdafs-store");
        assertThat(pods.get("instance").getSpec().getServiceAccountName()).isEqualTo("made");
        assertThat(pods.get("fs-lambdafs-fsck").getSpec().getServiceAccountName())
                .isEqualTo("fs-lambdafs-datanode");
        assertThat(HelmChart.pods(chart.rendered("--set", "tools.serviceAccount.name=mine"))
                        .get("fs-lambdafs-fsck")
                        .getSpec()
                        .getServiceAccountName())
                .isEqualTo("mine");
        Set<String> accounts = Set.copyOf(all.stream()
                .filter(ServiceAccount.class::isInstance)
                .map(each -> each.getMetadata().getName())
                .toList());
        assertThat(accounts)
                .containsExactlyInAnyOrder("fs-lambdafs-gateway", "fs-lambdafs-store", "fs-lambdafs-datanode");
        assertThat(HelmChart.find(all, ServiceAccount.class, "fs-lambdafs-store")
                        .getMetadata()
                        .getAnnotations())
                .containsEntry("role", "1");
        assertThat(all)
                .filteredOn(ServiceAccount.class::isInstance)
                .allSatisfy(each -> assertThat(((ServiceAccount) each).getAutomountServiceAccountToken())
                        .isFalse());
        assertThat(pods)
                .allSatisfy((name, pod) -> assertThat(pod.getSpec().getAutomountServiceAccountToken())
                        .isEqualTo(name.equals("fs-lambdafs-gateway")));
    }

    @Test
    void shouldGiveEachJobItsOwnResources() throws Exception {
        Map<String, PodTemplateSpec> pods = pods(
                "--set",
                ALL,
                "--set",
                "tools.commands.fsck.arguments={fsck},tools.commands.fsck.resources.limits.memory=3Gi,format.resources.limits.memory=500Mi");
        assertThat(memory(pods.get("fs-lambdafs-fsck"))).isEqualTo(new Quantity("3Gi"));
        assertThat(memory(pods.get("fs-lambdafs-doctor"))).isEqualTo(new Quantity("512Mi"));
        assertThat(pods.get("fs-lambdafs-gateway")
                        .getSpec()
                        .getInitContainers()
                        .get(0)
                        .getResources()
                        .getLimits())
                .containsEntry("memory", new Quantity("500Mi"));
        assertThat(memory(pods("--set", "gateway.enabled=false,format.resources.limits.memory=500Mi")
                        .get("fs-lambdafs-format-1")))
                .isEqualTo(new Quantity("500Mi"));
    }

    private static Quantity memory(PodTemplateSpec pod) {
        return pod.getSpec().getContainers().get(0).getResources().getLimits().get("memory");
    }

    @Test
    void shouldWaitForAProcessThatStartsSlowly() throws Exception {
        for (String role : List.of("store", "datanode", "gateway")) {
            Container container = pods("--set", role + ".startupSeconds=900")
                    .get("fs-lambdafs-" + role)
                    .getSpec()
                    .getContainers()
                    .get(0);
            assertThat(container.getStartupProbe().getPeriodSeconds()
                            * container.getStartupProbe().getFailureThreshold())
                    .as(role)
                    .isEqualTo(900);
            assertThat(container.getStartupProbe().getHttpGet().getPath()).isEqualTo("/healthz");
            assertThat(container.getLivenessProbe().getInitialDelaySeconds()).isNull();
        }
    }
}
