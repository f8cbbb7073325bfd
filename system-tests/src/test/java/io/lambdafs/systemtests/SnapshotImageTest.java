package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.functions.instance.InstanceJvm;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.platform.local.instance.Criu;
import io.lambdafs.platform.local.instance.ProcessLauncher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image from which a cluster's instances are restored, where CRIU is installed. */
class SnapshotImageTest {
    private static final int CHUNK_BYTES = 4 << 20;
    private static final Pattern HEX = Pattern.compile("([0-9a-f]{2}){16,}");

    @TempDir
    Path directory;

    /** Starts a cluster whose images are in this test's own folder. */
    private ClusterUnderTest start() {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.put("deployments", 1);
        String home = System.setProperty("user.home", directory.resolve("home").toString());
        try {
            return ClusterUnderTest.start(directory.resolve("cluster"), settings);
        } finally {
            System.setProperty("user.home", home);
        }
    }

    private static Path images(ClusterUnderTest cluster) throws IOException {
        Path conf = cluster.directory().resolve("conf").resolve("gateway.json");
        return Path.of(
                new ObjectMapper().readTree(conf.toFile()).path("snapshots").asText());
    }

    private static List<Path> made(Path images) throws IOException {
        if (Files.notExists(images)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(images)) {
            return all.filter(each -> Files.isDirectory(each)
                            && !each.getFileName().toString().startsWith("draft"))
                    .toList();
        }
    }

    /** Returns whether a file of an image holds a text, in either form of a Java string, or the bytes that it stands for. */
    private static boolean holds(Path image, String text) throws IOException {
        List<String> forms = new ArrayList<>(
                List.of(text, new String(text.getBytes(StandardCharsets.UTF_16LE), StandardCharsets.ISO_8859_1)));
        if (HEX.matcher(text).matches()) {
            forms.add(new String(HexFormat.of().parseHex(text), StandardCharsets.ISO_8859_1));
        }
        try (Stream<Path> files = Files.list(image)) {
            for (Path file : files.toList()) {
                if (contains(file, forms)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean contains(Path file, List<String> forms) throws IOException {
        int longest = forms.stream().mapToInt(String::length).max().orElse(0);
        String end = "";
        try (InputStream in = Files.newInputStream(file)) {
            for (byte[] chunk = in.readNBytes(CHUNK_BYTES); chunk.length > 0; chunk = in.readNBytes(CHUNK_BYTES)) {
                String seen = end + new String(chunk, StandardCharsets.ISO_8859_1);
                if (forms.stream().anyMatch(seen::contains)) {
                    return true;
                }
                end = seen.substring(Math.max(0, seen.length() - longest));
            }
        }
        return false;
    }

    /** Returns what only this cluster may know: the contents of its key files, and where it is. */
    private static List<String> secrets(ClusterUnderTest cluster) throws IOException {
        List<String> secrets = new ArrayList<>(List.of(cluster.directory().toString()));
        for (String file : List.of("secret", "apikey", "managementkey")) {
            String content = Files.readString(cluster.directory().resolve(file)).strip();
            // A key stands behind its user's name.
            secrets.add(content.substring(content.indexOf(':') + 1));
        }
        return secrets;
    }

    @Test
    void shouldHoldNoSecretOfTheClusterWhoseInstancesAreRestoredFromIt() throws Exception {
        Criu.Found found = Criu.find(System.getenv());
        Assumptions.assumeTrue(found.engine().isPresent(), found.why());
        try (ClusterUnderTest cluster = start()) {
            Path images = images(cluster);
            assertThat(images).startsWithRaw(directory);
            await().until(() -> made(images).size() == 1);
            Path image = made(images).get(0);
            assertThat(holds(image, InstanceJvm.templateClass()))
                    .as("what is in it is found")
                    .isTrue();
            for (String secret : secrets(cluster)) {
                assertThat(secret).hasSizeGreaterThan(15);
                assertThat(holds(image, secret)).as(secret).isFalse();
            }
            try (BlockingLambdaFs client = cluster.client()) {
                client.execute(new NamespaceOperation.Mkdirs(FsPath.of("/a"), 0755, true));
            }
            // The process that was prewarmed before there was an image is replaced by one that is restored.
            Path log = cluster.directory().resolve("logs").resolve("gateway.log");
            await().until(() -> Files.readString(log).contains(ProcessLauncher.RESTORES));
        }
    }
}
