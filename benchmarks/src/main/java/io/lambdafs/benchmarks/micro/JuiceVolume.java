package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lambdafs.cluster.terminal.Console;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A new JuiceFS volume: metadata in a Redis of this machine's packages, on loopback, its log forced to the disk once a
 * second; objects as local files. It is formatted here, so JuiceFS's jar, which the user brings, is all that is needed
 * of JuiceFS. Used by one thread, except {@link #close}.
 */
final class JuiceVolume implements AutoCloseable {
    private static final String REDIS = "redis-server";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String NAME = "bench";
    private static final int BLOCK_KIB = 4096;
    private static final int ATTRIBUTES_BYTES = 72;
    private static final int DIRECTORY = 2 << 12;
    private static final int ROOT = 1;
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Path folder;
    private final int port;
    private final Children children;

    /** @param folder an empty folder for its data and log */
    JuiceVolume(Path folder) {
        this.folder = folder;
        this.port = Children.freePort("Redis");
        this.children = new Children(folder, ".log", GRACE);
    }

    void start(Console console) throws InterruptedException {
        console.progress("  starting Redis for JuiceFS");
        try {
            Files.createDirectories(objects());
            children.start(
                    REDIS,
                    List.of(
                            REDIS,
                            "--bind",
                            LOOPBACK,
                            "--port",
                            Integer.toString(port),
                            "--dir",
                            folder.toString(),
                            "--save",
                            "",
                            "--appendonly",
                            "yes",
                            "--appendfsync",
                            "everysec"));
        } catch (IOException e) {
            throw Children.failed("Redis cannot be started (apt-get install --no-install-recommends " + REDIS + "): "
                    + e.getMessage());
        }
        try {
            children.awaitPort(REDIS, "Redis", port);
            set("setting", settings().getBytes(StandardCharsets.UTF_8));
            set("i" + ROOT, rootAttributes());
        } catch (IOException e) {
            throw Children.failed("cannot make a JuiceFS volume: " + e);
        }
        console.say("  juicefs   ready, Redis on port " + port);
    }

    private Path objects() {
        return folder.resolve("objects");
    }

    private String settings() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("Name", NAME)
                .put("UUID", UUID.randomUUID().toString())
                .put("Storage", "file")
                .put("Bucket", objects() + "/")
                .put("BlockSize", BLOCK_KIB)
                .put("Compression", "none")
                .put("TrashDays", 0)
                .put("MetaVersion", 1)
                .toString();
    }

    /** Returns the attributes of an empty root directory that anybody may write, in JuiceFS's layout. */
    private static byte[] rootAttributes() {
        long now = System.currentTimeMillis() / 1_000;
        ByteBuffer attributes = ByteBuffer.allocate(ATTRIBUTES_BYTES)
                .put((byte) 0)
                .putShort((short) (DIRECTORY | 0777))
                .putInt(0)
                .putInt(0);
        for (int time = 0; time < 3; time++) {
            attributes.putLong(now).putInt(0);
        }
        return attributes.putInt(2).putLong(4_096).putInt(0).putLong(ROOT).array();
    }

    private void set(String key, byte[] value) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            OutputStream out = socket.getOutputStream();
            out.write(("*3\r\n$3\r\nSET\r\n$" + key.length() + "\r\n" + key + "\r\n$" + value.length + "\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.write(value);
            out.write("\r\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            String answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (!"+OK".equals(answer)) {
                throw new IOException("Redis answered " + answer);
            }
        }
    }

    static URI uri() {
        return URI.create("jfs://" + NAME + "/");
    }

    /** Returns the properties with which its client reaches it. Nothing is reported to anybody. */
    Map<String, String> configuration() {
        return Map.of(
                "fs.jfs.impl", "io.juicefs.JuiceFileSystem",
                "juicefs.meta", "redis://" + LOOPBACK + ":" + port + "/0",
                "juicefs.cache-dir", "memory",
                "juicefs.no-usage-report", "true");
    }

    Servers servers() {
        return children::servers;
    }

    @Override
    public void close() {
        children.close();
    }
}
