package io.lambdafs.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.Console;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class S3StoreTest {
    @TempDir
    private Path folder;

    /** With a line for each chunk of an object it was five times slower. */
    @Test
    void shouldLogNoRequest() throws Exception {
        List<Path> jars = PeerJars.find(S3Store.NAME, Files.createDirectory(folder.resolve("jars")));
        Path data = Files.createDirectory(folder.resolve("data"));
        try (S3Store store = new S3Store(data, jars, "somebody", "a-password")) {
            store.start(Console.ofProcess());
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(store.endpoint() + "/bench/object"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(404);
        }
        assertThat(data.resolve("s3proxy.log")).content().doesNotContain("DEBUG", "TRACE", "INFO");
    }
}
