package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.HeadlessBrowser;
import io.lambdafs.model.FsPath;
import io.lambdafs.platform.MetricsPage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what a cluster of real processes reports: its live page in a real browser, and the metrics that our rules and
 * boards name.
 */
class ObservabilityTest {
    private static final int FILES = 200;
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    /** Where a picture of the page goes, if anywhere: how the one in docs is made. */
    private static final String PICTURE = "lambdafs.dashboard.picture";

    private static final Pattern METRIC = Pattern.compile("\\blambdafs[a-z0-9_:]+");

    @TempDir
    static Path folder;

    private static ClusterUnderTest cluster;

    @BeforeAll
    static void start() {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.putObject("doors").put("open", "hdfs");
        cluster = ClusterUnderTest.start(folder.resolve("c"), settings);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldExposeEveryMetricThatRulesAndBoardsName() throws Exception {
        load();
        throughTheDoor();
        Set<String> exposed = new TreeSet<>();
        Path observability = Path.of("..", "helm", "lambdafs", "observability");
        JsonNode rules = YAML.readTree(observability.resolve("rules.yml").toFile());
        List<String> expressions = new ArrayList<>();
        for (JsonNode rule : rules.findParents("expr")) {
            expressions.add(rule.path("expr").asText());
            if (rule.has("record")) {
                exposed.add(rule.path("record").asText());
            }
        }
        for (String board : List.of("grafana-cluster.json", "grafana-storage.json")) {
            JsonNode json = YAML.readTree(observability.resolve(board).toFile());
            assertThat(json.path("panels").size()).as(board).isGreaterThan(8);
            json.findValues("expr").forEach(each -> expressions.add(each.asText()));
        }
        Set<String> named = expressions.stream()
                .flatMap(each -> METRIC.matcher(each).results().map(MatchResult::group))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).hasSizeGreaterThan(40);
        await().untilAsserted(() -> {
            for (String port : List.of("gateway", "store-metrics", "datanode-1-metrics", "hdfs-metrics")) {
                MetricsPage.parse(page(cluster.port(port))).each((name, labels, value) -> exposed.add(name));
            }
            assertThat(exposed).containsAll(named);
        });
    }

    private static String page(int port) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + port + "/metrics");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldShowLoadCachesCostAndWhatHappensToInstances() throws Exception {
        Optional<Path> program = HeadlessBrowser.installed();
        Assumptions.assumeTrue(program.isPresent(), "no chromium is installed: apt-get install chromium");
        try (HeadlessBrowser browser = new HeadlessBrowser(program.get(), Files.createDirectory(folder.resolve("b")));
                PathProxy proxy = PathProxy.start("/clusters/one", cluster.port("gateway"))) {
            browser.open(proxy.address() + gateway().dashboard().toString().replaceFirst("^[a-z]+://[^/]+", ""));
            assertThat(browser.evaluate("location.href").asText()).doesNotContain("token");
            load();
            await().untilAsserted(() -> {
                assertThat(browser.text("#link")).isEqualTo("live");
                // Each file was made, and looked at twice.
                assertThat(answered(browser)).isGreaterThan(2 * FILES);
                assertThat(browser.text("#events tr.started")).contains("ready after");
                assertThat(browser.text("#deployments th")).contains("namenode0", "namenode3");
                assertThat(browser.text("#live tr")).contains("ready");
                assertThat(browser.text("#deployments tr")).contains("KiB", "%");
                assertThat(browser.text("#card-usd")).startsWith("$").isNotEqualTo("$0.00");
            });
            await().untilAsserted(
                            () -> assertThat(browser.text("#slowest tr")).containsPattern("create\\s.*/d\\d+/f\\d+"));
            for (String plot : List.of("load", "instances", "latency", "hits", "cost")) {
                assertThat(browser.colours(plot)).as(plot).isGreaterThan(8);
            }
            ClusterUnderTest.LiveInstance victim = cluster.instances().get(0);
            victim.process().destroyForcibly();
            await().untilAsserted(() -> assertThat(browser.text("#events tr.lost"))
                    .contains("namenode" + victim.deployment(), "exit code 137"));
            throughTheDoor();
            await().untilAsserted(() -> assertThat(browser.text("#doors tr"))
                    .contains("hdfs://127.0.0.1:" + cluster.port("hdfs"), "answers"));
            browser.evaluate("document.querySelector('input[value=whole]').click()");
            int light = background(browser);
            browser.dark(true);
            await().until(() -> background(browser) < light);
            assertThat(browser.colours("load")).isGreaterThan(8);
            browser.dark(false);
            if (System.getProperty(PICTURE) != null) {
                browser.screenshot(Path.of(System.getProperty(PICTURE)));
            }
            assertThat(browser.errors()).isEmpty();
        }
    }

    private static GatewayClient gateway() {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
        return new LocalCluster(new ClusterDirectory(cluster.directory()), new Console(nowhere, nowhere, 0))
                .gateway()
                .client();
    }

    private static void load() throws Exception {
        try (BlockingLambdaFs client = cluster.client()) {
            for (int i = 0; i < FILES; i++) {
                FsPath file = FsPath.of("/d" + i % 16 + "/f" + i);
                client.create(file, new byte[] {1}, CreateOptions.DEFAULT.withOverwrite(true));
                client.stat(file);
                client.stat(file);
            }
        }
    }

    /** Calls of each kind that a board shows, one of them refused. */
    private static void throughTheDoor() throws Exception {
        URI door = URI.create("hdfs://127.0.0.1:" + cluster.port("hdfs"));
        try (FileSystem fs = FileSystem.newInstance(door, new Configuration())) {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/through/the-door");
            try (FSDataOutputStream out = fs.create(file)) {
                out.write(1);
            }
            assertThatThrownBy(() -> fs.createSnapshot(file.getParent())).hasMessageContaining("createSnapshot");
        }
    }

    /** All operations that the page has been told of. */
    private static double answered(HeadlessBrowser browser) throws Exception {
        return browser.evaluate("Chart.getChart('load').data.datasets.reduce((sum, set) =>"
                        + " sum + set.data.reduce((s, p, i) => s + (i ? p.y * (p.x - set.data[i - 1].x) : 0), 0), 0)")
                .asDouble();
    }

    /** How light the page's background is. */
    private static int background(HeadlessBrowser browser) throws Exception {
        return browser.evaluate("+getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]")
                .asInt();
    }
}
