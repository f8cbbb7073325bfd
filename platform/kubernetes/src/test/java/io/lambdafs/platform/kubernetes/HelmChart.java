package io.lambdafs.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Renders the chart with helm. Skips a test where there is no helm on the PATH, and {@code LAMBDAFS_HELM} names none.
 * Stateless.
 */
final class HelmChart {
    static final Path PLACE = Path.of("..", "..", "helm", "lambdafs");

    private final String helm;

    /** Exit code and output of helm. */
    record Run(int code, String output) {}

    private HelmChart(String helm) {
        this.helm = helm;
    }

    static HelmChart find() {
        String named = System.getenv("LAMBDAFS_HELM");
        Stream<Path> places = named == null
                ? Arrays.stream(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                        .map(folder -> Path.of(folder, "helm"))
                : Stream.of(Path.of(named));
        String helm = places.filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse("");
        assumeTrue(!helm.isEmpty(), "helm is not on the PATH: the chart is not checked");
        return new HelmChart(helm);
    }

    Run helm(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(helm));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return new Run(process.exitValue(), output);
    }

    Run template(String... arguments) throws IOException, InterruptedException {
        return template("fs", PLACE, arguments);
    }

    Run template(String release, Path chart, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("template", release, chart.toString(), "--kube-version", "1.34.0"));
        all.addAll(List.of(arguments));
        return helm(all.toArray(String[]::new));
    }

    List<HasMetadata> rendered(String... arguments) throws IOException, InterruptedException {
        return parsed(template(arguments));
    }

    static List<HasMetadata> parsed(Run run) {
        assertThat(run.code()).as(run.output()).isZero();
        Object all = new KubernetesSerialization()
                .unmarshal(new ByteArrayInputStream(run.output().getBytes(StandardCharsets.UTF_8)));
        assertThat(all).isInstanceOf(Collection.class);
        return ((Collection<?>) all).stream().map(HasMetadata.class::cast).toList();
    }

    static <T> T find(List<HasMetadata> all, Class<T> type, String name) {
        return all.stream()
                .filter(each ->
                        type.isInstance(each) && each.getMetadata().getName().equals(name))
                .map(type::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + type.getSimpleName() + " " + name));
    }

    /** A file of what the processes are configured with. */
    static String file(List<HasMetadata> all, String name) {
        return find(all, ConfigMap.class, "fs-lambdafs").getData().get(name);
    }

    static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    /** Every pod, by the name of what makes it; that of an instance is {@code instance}. */
    static Map<String, PodTemplateSpec> pods(List<HasMetadata> all) {
        Map<String, PodTemplateSpec> pods = new LinkedHashMap<>();
        for (HasMetadata each : all) {
            String name = each.getMetadata().getName();
            if (each instanceof Deployment deployment) {
                pods.put(name, deployment.getSpec().getTemplate());
            } else if (each instanceof StatefulSet set) {
                pods.put(name, set.getSpec().getTemplate());
            } else if (each instanceof Job job) {
                pods.put(name, job.getSpec().getTemplate());
            } else if (each instanceof CronJob cron) {
                pods.put(name, cron.getSpec().getJobTemplate().getSpec().getTemplate());
            } else if (each instanceof Pod pod) {
                pods.put(name, templateOf(pod));
            } else if (each instanceof ConfigMap map && map.getData().containsKey("pod.yaml")) {
                pods.put(
                        "instance",
                        templateOf(
                                PodTemplate.parse(map.getData().get("pod.yaml")).pod("i", 300, new OwnerReference())));
            }
        }
        return pods;
    }

    private static PodTemplateSpec templateOf(Pod pod) {
        return new PodTemplateSpecBuilder()
                .withMetadata(pod.getMetadata())
                .withSpec(pod.getSpec())
                .build();
    }
}
