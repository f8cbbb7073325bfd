package io.lambdafs.cluster.trial;

import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.model.block.ObjectKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.jspecify.annotations.Nullable;

/** An object store that speaks S3, in a process of its own that may be killed; what it holds is in a directory. Confined to one thread. */
final class ObjectStore implements AutoCloseable {
    /** As the module's POM gives them to every process that its tests start. */
    private static final String USER = System.getenv("AWS_ACCESS_KEY_ID");

    private static final String KEY = System.getenv("AWS_SECRET_ACCESS_KEY");
    static final String BUCKET = "trial";
    /** Prefix of the keys of the block store without a name. */
    static final String HOT = "hot";

    private final Path directory;
    private final Path log;
    private int port;
    private @Nullable Process process;

    ObjectStore(Path directory, Path log) {
        this.directory = directory;
        this.log = log;
    }

    /** Serves until its input ends, at the directory and the port of its arguments, and says at which. */
    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("jclouds.filesystem.basedir", arguments[0]);
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(BlobStores.create("filesystem-nio2", properties))
                .endpoint(URI.create("http://127.0.0.1:" + arguments[1]))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, USER, KEY)
                .build();
        proxy.start();
        System.out.println(proxy.getPort());
        while (System.in.read() >= 0) {
            // Until whoever started it has gone.
        }
        proxy.stop();
    }

    /** Starts it, at the port where it was before, and waits until it serves. */
    void start() throws IOException {
        Files.createDirectories(directory.resolve(BUCKET));
        Process started = new ProcessBuilder(List.of(
                        JavaCommand.java(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        JavaCommand.classPath(),
                        ObjectStore.class.getName(),
                        directory.toString(),
                        Integer.toString(port)))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        process = started;
        BufferedReader said =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        String line = said.readLine();
        if (line == null) {
            throw new IOException("the object store did not start; see " + log);
        }
        port = Integer.parseInt(line);
    }

    String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    /** Makes an object that nothing names. */
    void addOrphan() throws IOException {
        Path orphan = directory.resolve(BUCKET).resolve(HOT).resolve(ObjectKey.of(Long.MAX_VALUE, 1, 1));
        Files.createDirectories(orphan.resolveSibling("."));
        Files.write(orphan, new byte[1_000]);
    }

    void kill() throws Exception {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            running.onExit().get();
        }
    }

    @Override
    public void close() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }
}
