package io.lambdafs.platform.kubernetes;

import static io.lambdafs.platform.kubernetes.HelmChart.find;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Backups of the chart, what makes a release of one, and its test. */
class HelmCareTest {
    private HelmChart chart;

    @BeforeEach
    void findHelm() {
        chart = HelmChart.find();
    }

    private static String claim(PodSpec pod) {
        return pod.getVolumes().stream()
                .filter(each -> each.getPersistentVolumeClaim() != null)
                .map(each -> each.getPersistentVolumeClaim().getClaimName())
                .findFirst()
                .orElse("");
    }

    @Test
    void shouldDumpTheMetadataToAClaimThatOutlivesTheRelease() throws Exception {
        List<HasMetadata> all = chart.rendered(
                "--set",
                "backup.enabled=true,backup.keep=3,backup.persistence.size=5Gi,backup.resources.limits.memory=1Gi");

        CronJob backup = find(all, CronJob.class, "fs-lambdafs-backup");
        assertThat(backup.getSpec().getSchedule()).isEqualTo("0 3 * * *");
        assertThat(backup.getSpec().getSuspend()).isFalse();
        assertThat(backup.getSpec().getConcurrencyPolicy()).isEqualTo("Forbid");
        PodSpec pod = backup.getSpec().getJobTemplate().getSpec().getTemplate().getSpec();
        Container container = pod.getContainers().get(0);
        assertThat(container.getArgs()).containsExactly("dump", "/backup", "--keep", "3");
        assertThat(container.getVolumeMounts())
                .anyMatch(each -> each.getMountPath().equals("/backup"));
        assertThat(container.getResources().getLimits()).containsEntry("memory", new Quantity("1Gi"));
        assertThat(claim(pod)).isEqualTo("fs-lambdafs-backup");
        PersistentVolumeClaim made = find(all, PersistentVolumeClaim.class, "fs-lambdafs-backup");
        assertThat(made.getMetadata().getAnnotations()).containsEntry("helm.sh/resource-policy", "keep");
        assertThat(made.getSpec().getResources().getRequests()).containsEntry("storage", new Quantity("5Gi"));
        assertThat(chart.rendered())
                .noneMatch(each -> each.getMetadata().getName().endsWith("-backup"));

        List<HasMetadata> given = chart.rendered("--set", "backup.enabled=true,backup.claim=mine");
        assertThat(given).noneMatch(PersistentVolumeClaim.class::isInstance);
        assertThat(claim(HelmChart.pods(given).get("fs-lambdafs-backup").getSpec()))
                .isEqualTo("mine");
        assertThat(find(
                                chart.rendered("--set", "backup.enabled=true,backup.persistence.keep=false"),
                                PersistentVolumeClaim.class,
                                "fs-lambdafs-backup")
                        .getMetadata()
                        .getAnnotations())
                .doesNotContainKey("helm.sh/resource-policy");
    }

    @Test
    void shouldFillAnEmptyStoreBeforeAnythingUsesIt() throws Exception {
        List<HasMetadata> all = chart.rendered(
                "--set",
                "restore.enabled=true,restore.dump=2026-11-29T03-00-07Z,backup.enabled=true,gateway.replicas=2");

        Job restore = find(all, Job.class, "fs-lambdafs-restore-1");
        PodSpec pod = restore.getSpec().getTemplate().getSpec();
        assertThat(pod.getContainers().get(0).getArgs()).containsExactly("load", "/backup/2026-11-29T03-00-07Z");
        assertThat(claim(pod)).isEqualTo("fs-lambdafs-backup");
        assertThat(find(all, Deployment.class, "fs-lambdafs-gateway").getSpec().getReplicas())
                .as("its first step would make a file system of the store")
                .isZero();
        assertThat(find(all, StatefulSet.class, "fs-lambdafs-datanode")
                        .getSpec()
                        .getReplicas())
                .as("they would write their cluster's name into the store")
                .isZero();
        assertThat(find(chart.rendered(), StatefulSet.class, "fs-lambdafs-datanode")
                        .getSpec()
                        .getReplicas())
                .isEqualTo(1);
        assertThat(find(all, CronJob.class, "fs-lambdafs-backup").getSpec().getSuspend())
                .isTrue();

        List<HasMetadata> newest =
                chart.rendered("--set", "restore.enabled=true,restore.claim=old,gateway.enabled=false");
        assertThat(newest).noneMatch(each -> each.getMetadata().getName().contains("-format-"));
        PodSpec loads = HelmChart.pods(newest).get("fs-lambdafs-restore-1").getSpec();
        assertThat(loads.getContainers().get(0).getArgs()).containsExactly("load", "/backup", "--newest");
        assertThat(claim(loads)).isEqualTo("old");
        assertThat(chart.template("--set", "restore.enabled=true").output()).contains("restore.claim is missing");
    }

    @Test
    void shouldDumpToABucketAndFillAStoreFromIt() throws Exception {
        String bucket = "backup.place=s3://dumps/fs,datanode.endpoint=http://minio:9000,datanode.credentials=keys";
        List<HasMetadata> all = chart.rendered("--set", "backup.enabled=true," + bucket);

        PodSpec pod = HelmChart.pods(all).get("fs-lambdafs-backup").getSpec();
        assertThat(pod.getContainers().get(0).getArgs())
                .containsExactly(
                        "dump",
                        "s3://dumps/fs",
                        "--keep",
                        "7",
                        "--scratch",
                        "/backup",
                        "--endpoint",
                        "http://minio:9000");
        assertThat(pod.getContainers().get(0).getEnvFrom())
                .anyMatch(each -> each.getSecretRef().getName().equals("keys"));
        assertThat(claim(pod)).isEmpty();
        assertThat(all).noneMatch(PersistentVolumeClaim.class::isInstance);

        assertThat(loading("restore.enabled=true," + bucket))
                .containsExactly(
                        "load", "s3://dumps/fs", "--newest", "--scratch", "/backup", "--endpoint", "http://minio:9000");
        assertThat(loading("restore.enabled=true,restore.place=s3://old/,restore.dump=2026-11-29T03-00-07Z"))
                .containsExactly("load", "s3://old/2026-11-29T03-00-07Z", "--scratch", "/backup");
        assertThat(loading("restore.enabled=true,restore.claim=mine,backup.place=s3://dumps"))
                .containsExactly("load", "/backup", "--newest");
        assertThat(chart.rendered("--set", "networkPolicy.egress.enabled=true," + bucket))
                .anyMatch(each -> each.getMetadata().getName().equals("fs-lambdafs-backup"));
    }

    private List<String> loading(String values) throws Exception {
        return HelmChart.pods(chart.rendered("--set", values))
                .get("fs-lambdafs-restore-1")
                .getSpec()
                .getContainers()
                .get(0)
                .getArgs();
    }

    @Test
    void shouldHaveATestThatLooksTheReleaseOver() throws Exception {
        Pod test = find(chart.rendered(), Pod.class, "fs-lambdafs-test");

        assertThat(test.getMetadata().getAnnotations())
                .containsEntry("helm.sh/hook", "test")
                .containsEntry("helm.sh/hook-delete-policy", "before-hook-creation");
        assertThat(test.getSpec().getContainers().get(0).getArgs()).containsExactly("doctor");
        assertThat(test.getSpec().getContainers().get(0).getResources().getLimits())
                .containsKey("memory");
        assertThat(chart.rendered("--set", "tools.enabled=false")).noneMatch(Pod.class::isInstance);
    }
}
