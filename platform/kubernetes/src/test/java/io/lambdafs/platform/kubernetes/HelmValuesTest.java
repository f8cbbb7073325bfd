package io.lambdafs.platform.kubernetes;

import static io.lambdafs.platform.kubernetes.HelmChart.file;
import static io.lambdafs.platform.kubernetes.HelmChart.find;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the ranges and the documentation of the chart's values. */
class HelmValuesTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    @TempDir
    private Path directory;

    private HelmChart chart;

    @BeforeEach
    void findHelm() {
        chart = HelmChart.find();
    }

    private static List<String> images(List<HasMetadata> all) {
        return HelmChart.pods(all).values().stream()
                .flatMap(each -> Stream.concat(
                        each.getSpec().getContainers().stream(), each.getSpec().getInitContainers().stream()))
                .map(Container::getImage)
                .distinct()
                .toList();
    }

    @Test
    void shouldTakeANumberForATag() throws Exception {
        for (String tag : List.of("1", "0", "20261129", "true", "1.10")) {
            assertThat(images(chart.rendered("--set", "image.tag=" + tag))).containsExactly("lambdafs:" + tag);
        }
        Path values = Files.writeString(directory.resolve("values.yaml"), "image: {tag: 20261129}");
        assertThat(images(chart.rendered("-f", values.toString()))).containsExactly("lambdafs:20261129");
    }

    @Test
    void shouldTakeANumberWhereverTextIsMeant() throws Exception {
        List<HasMetadata> all = chart.rendered(
                "--set",
                "fileSystem.name=7,fileSystem.superuser=1000,instance.cpuRequest=1,instance.cpuLimit=2,store.persistence.size=10737418240",
                "--set",
                "store.persistence.storageClass=1,datanode.credentials=2,secrets.existing=3,store.cluster=4,imagePullSecrets={5}",
                "--set",
                "gateway.service.annotations.internal=true,datanode.serviceAccount.annotations.n=6,nodeSelector.gpu=false",
                "--set",
                "tools.commands.x.arguments={dump,1},tools.commands.x.schedule=@daily");

        assertThat(file(all, "function.json")).contains("\"fileSystem\":\"7\"", "\"superuser\":\"1000\"");
        assertThat(HelmChart.pods(all)).allSatisfy((name, pod) -> {
            assertThat(pod.getSpec().getNodeSelector()).containsEntry("gpu", "false");
            assertThat(pod.getSpec().getImagePullSecrets())
                    .singleElement()
                    .satisfies(each -> assertThat(each.getName()).isEqualTo("5"));
        });
        assertThat(find(all, Service.class, "fs-lambdafs-gateway").getMetadata().getAnnotations())
                .containsEntry("internal", "true");
        assertThat(find(all, StatefulSet.class, "fs-lambdafs-store")
                        .getSpec()
                        .getVolumeClaimTemplates()
                        .get(0)
                        .getSpec()
                        .getResources()
                        .getRequests()
                        .get("storage")
                        .getNumericalAmount()
                        .longValueExact())
                .isEqualTo(10_737_418_240L);
        assertThat(HelmChart.pods(all)
                        .get("fs-lambdafs-x")
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getArgs())
                .containsExactly("dump", "1");
        assertThat(chart.template("--set", "store.engine=postgres,store.postgres.url=jdbc:postgresql://d/f")
                        .output())
                .contains("url and user are missing");
        assertThat(file(
                        chart.rendered(
                                "--set",
                                "store.engine=postgres,store.postgres.url=jdbc:postgresql://d/f,store.postgres.user=1,store.postgres.secret=2"),
                        "store.json"))
                .contains("\"user\":\"1\"");
    }

    @Test
    void shouldPullFromTheRegistryOfAParentChart() throws Exception {
        List<HasMetadata> all = chart.rendered(
                "--set",
                "global.imageRegistry=mirror.example.com/all,global.imagePullSecrets[0].name=one,global.imagePullSecrets[1]=two",
                "--set",
                "imagePullSecrets[0].name=three,global.storageClass=fast,global.other=of-its-sibling",
                "--set",
                "image.repository=docker.io/team/lambdafs,image.tag=1,instance.image=small:2,store.engine=ndb,store.ndb.image=localhost:5000/mysql/ndb:8");

        assertThat(images(all))
                .containsExactlyInAnyOrder(
                        "mirror.example.com/all/team/lambdafs:1",
                        "mirror.example.com/all/small:2",
                        "mirror.example.com/all/mysql/ndb:8");
        assertThat(HelmChart.pods(all))
                .allSatisfy((name, pod) -> assertThat(pod.getSpec().getImagePullSecrets())
                        .extracting(each -> each.getName())
                        .containsExactly("one", "two", "three"));
        assertThat(find(all, StatefulSet.class, "fs-lambdafs-ndb-data")
                        .getSpec()
                        .getVolumeClaimTemplates()
                        .get(0)
                        .getSpec()
                        .getStorageClassName())
                .isEqualTo("fast");
        assertThat(images(chart.rendered("--set", "image.digest=sha256:00ff,image.tag=1")))
                .containsExactly("lambdafs@sha256:00ff");
    }

    @Test
    void shouldBePartOfAParentChart() throws Exception {
        Path parent = Files.createDirectories(directory.resolve("parent"));
        Files.writeString(
                parent.resolve("Chart.yaml"),
                "apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n  - {name: lambdafs, version: 0.1.0, alias: files, condition: files.enabled}\n");
        Files.createDirectories(parent.resolve("charts"));
        assertThat(chart.helm(
                                "package",
                                HelmChart.PLACE.toString(),
                                "-d",
                                parent.resolve("charts").toString())
                        .code())
                .isZero();

        HelmChart.Run with = chart.template("fs", parent, "--set", "files.enabled=true,files.runAs=null");
        assertThat(with.code()).as(with.output()).isZero();
        assertThat(with.output()).contains("name: fs-files-gateway").doesNotContain("runAsUser");
        HelmChart.Run without = chart.template("fs", parent, "--set", "files.enabled=false");
        assertThat(without.code()).as(without.output()).isZero();
        assertThat(without.output()).doesNotContain("kind:");
    }

    @Test
    void shouldGiveEveryServiceAValidName() throws Exception {
        String longest = "a-release-with-a-name-that-is-as-long-as-helm-allows1";
        assertThat(longest).hasSize(53);
        for (String release : List.of("fs", longest, "yes")) {
            List<HasMetadata> all = HelmChart.parsed(
                    chart.template(
                            release,
                            HelmChart.PLACE,
                            "--set",
                            "store.engine=ndb,store.ndb.image=ndb,tools.commands.longestkey.arguments={fsck},gateway.replicas=2"));
            assertThat(all).allSatisfy(each -> {
                String name = each.getMetadata().getName();
                int most = each instanceof CronJob || each instanceof StatefulSet ? 52 : 63;
                assertThat(name)
                        .as(each.getKind())
                        .matches("[a-z]([-a-z0-9]*[a-z0-9])?")
                        .hasSizeLessThanOrEqualTo(most);
                assertThat(each.getMetadata().getLabels()).containsEntry("app.kubernetes.io/instance", release);
            });
        }
        for (String release : List.of("1fs", "my.fs")) {
            assertThat(chart.template(release, HelmChart.PLACE).output())
                    .contains("\"" + release + "-lambdafs\" is no name of a Service", "fullnameOverride");
            assertThat(HelmChart.parsed(chart.template(release, HelmChart.PLACE, "--set", "fullnameOverride=fs")))
                    .allSatisfy(each -> assertThat(each.getMetadata().getName())
                            .isNotBlank()
                            .startsWith("fs"));
        }
        assertThat(HelmChart.parsed(chart.template("12", HelmChart.PLACE, "--set", "fullnameOverride=fs")))
                .allSatisfy(each ->
                        assertThat(each.getMetadata().getLabels()).containsEntry("app.kubernetes.io/instance", "12"));
        assertThat(find(
                        chart.rendered("--set", "nameOverride=files", "--namespace", "123"),
                        Service.class,
                        "fs-files-gateway"))
                .isNotNull();
    }

    @Test
    void shouldDescribeEveryValueAndNoOther() throws Exception {
        Set<String> values = leaves(yaml("values.yaml"), "");
        Set<String> rows = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(HelmChart.PLACE.resolve("README.md")));
        while (row.find()) {
            assertThat(rows.add(row.group(1)))
                    .as("described twice: " + row.group(1))
                    .isTrue();
        }
        assertThat(rows).isEqualTo(values);
    }

    @Test
    void shouldHaveASchemaOfEveryValueAndNoOther() throws Exception {
        compare(yaml("values.schema.json"), yaml("values.yaml"), "");
    }

    private static void compare(Map<?, ?> schema, Map<?, ?> values, String path) {
        Map<?, ?> known = (Map<?, ?>) schema.get("properties");
        if (known == null) {
            return;
        }
        assertThat(new TreeSet<>(known.keySet())).as(path).isEqualTo(new TreeSet<>(values.keySet()));
        values.forEach((name, value) -> {
            if (value instanceof Map<?, ?> below && known.get(name) instanceof Map<?, ?> of) {
                compare(of, below, path + name + ".");
            }
        });
    }

    private static Map<?, ?> yaml(String file) throws IOException {
        return Serialization.unmarshal(Files.readString(HelmChart.PLACE.resolve(file)), Map.class);
    }

    /** The paths of what is no map, or an empty one; the commands of Jobs and the resources of pods are values as a whole. */
    private static Set<String> leaves(Map<?, ?> node, String path) {
        Set<String> all = new TreeSet<>();
        node.forEach((key, value) -> {
            String name = path + key;
            boolean isWhole = name.equals("tools.commands") || name.endsWith("esources");
            if (value instanceof Map<?, ?> below && !below.isEmpty() && !isWhole) {
                all.addAll(leaves(below, name + "."));
            } else {
                all.add(name);
            }
        });
        return all;
    }
}
