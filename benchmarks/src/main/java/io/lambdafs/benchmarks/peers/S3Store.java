package io.lambdafs.benchmarks.peers;

import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.terminal.Console;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An S3Proxy process on loopback: an object store that keeps objects as local files. Used by one thread, except {@link
 * #close}.
 */
public final class S3Store implements AutoCloseable {
    static final String NAME = "s3proxy";

    private static final String BUCKET = "bench";
    private static final String LOOPBACK = "127.0.0.1";
    private static final int HEAP_MB = 512;
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Path folder;
    private final List<Path> jars;
    private final int port;
    private final Children children;

    private final String accessKey;
    private final String secretKey;

    /** @param folder an empty folder for its objects and log */
    S3Store(Path folder, List<Path> jars, String accessKey, String secretKey) {
        this.folder = folder;
        this.jars = jars;
        this.accessKey = accessKey;
        this.secretKey = secretKey;
        this.port = Children.freePort("an object store");
        this.children = new Children(folder, ".log", GRACE);
    }

    void start(Console console) throws InterruptedException {
        try {
            Files.createDirectories(folder.resolve("objects").resolve(BUCKET));
            Path conf = Files.write(
                    folder.resolve("s3proxy.conf"),
                    List.of(
                            "s3proxy.endpoint=" + endpoint(),
                            "s3proxy.authorization=aws-v2-or-v4",
                            "s3proxy.identity=" + accessKey,
                            "s3proxy.credential=" + secretKey,
                            "jclouds.provider=filesystem-nio2",
                            "jclouds.identity=" + accessKey,
                            "jclouds.credential=" + secretKey,
                            "jclouds.filesystem.basedir=" + folder.resolve("objects")));
            // Its jar has no configuration for Logback, which then writes every chunk that arrives.
            Path logging = Files.writeString(folder.resolve("logback.xml"), """
                    <configuration>
                      <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
                        <encoder><pattern>%d %level %logger{0} - %msg%n</pattern></encoder>
                      </appender>
                      <root level="WARN"><appender-ref ref="OUT"/></root>
                    </configuration>
                    """);
            children.start(
                    NAME,
                    List.of(
                            JavaCommand.java(),
                            "-Xmx" + HEAP_MB + "m",
                            "-Dlogback.configurationFile=" + logging,
                            "-cp",
                            jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                            "org.gaul.s3proxy.Main",
                            "--properties",
                            conf.toString()));
            children.awaitPort(NAME, "the object store", port);
        } catch (IOException e) {
            throw Children.failed("cannot start an object store: " + e);
        }
        console.say("  s3proxy   ready, port " + port);
    }

    /** Returns its bucket's root as S3A names it. */
    public URI uri() {
        return URI.create("s3a://" + BUCKET + "/");
    }

    /** Returns its bucket as λFS names it. */
    public URI bucket() {
        return URI.create("s3://" + BUCKET);
    }

    /** Returns where it serves. */
    public String endpoint() {
        return "http://" + LOOPBACK + ":" + port;
    }

    /** Returns the properties with which S3A reaches it. */
    public Map<String, String> configuration() {
        return Map.of(
                "fs.s3a.endpoint", endpoint(),
                "fs.s3a.endpoint.region", "us-east-1",
                "fs.s3a.access.key", accessKey,
                "fs.s3a.secret.key", secretKey,
                "fs.s3a.path.style.access", "true",
                "fs.s3a.connection.ssl.enabled", "false",
                "fs.s3a.connection.maximum", "500",
                "fs.s3a.threads.max", "128",
                "fs.s3a.bucket.probe", "0");
    }

    Servers servers() {
        return children::servers;
    }

    @Override
    public void close() {
        children.close();
    }
}
