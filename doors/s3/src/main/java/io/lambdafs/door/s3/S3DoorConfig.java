package io.lambdafs.door.s3;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.door.s3.auth.AccessKeys;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.Hosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an S3 door. Immutable and validated.
 *
 * @param cluster the directory with the cluster's {@code client.json}; its secret lets the door act for any user
 * @param keys the file of access keys
 * @param root the directory whose directories are buckets
 * @param domain below which the names of hosts begin with a bucket; empty for none
 * @param listen the address of the calls; port 0 for any free one
 * @param portFile receives the port once the door serves
 * @param pages the address of the pages with the door's numbers
 * @param pagesPortFile receives their port
 */
public record S3DoorConfig(
        Path cluster,
        Path keys,
        FsPath root,
        String domain,
        InetSocketAddress listen,
        Optional<Path> portFile,
        InetSocketAddress pages,
        Optional<Path> pagesPortFile) {
    private static final String DOMAIN = "localhost";
    private static final int MOST_PORT = 65_535;

    /**
     * Returns the settings of a door that a command starts.
     *
     * @param listen empty for loopback
     * @throws IOException if there is no such host
     * @throws IllegalArgumentException if the root is no path
     */
    public static S3DoorConfig of(Path cluster, String root, String listen, int port) throws IOException {
        return new Keys(
                        cluster.toString(),
                        null,
                        root,
                        null,
                        listen.isEmpty() ? null : listen,
                        port,
                        null,
                        null,
                        null,
                        null)
                .toConfig();
    }

    /**
     * Reads a JSON file: {@code cluster}, and, with defaults, {@code keysFile}, {@code root}, {@code domain}, {@code
     * listenAddress}, {@code port}, {@code portFile}, {@code metricsAddress}, {@code metricsPort}, {@code
     * metricsPortFile}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong
     */
    public static S3DoorConfig load(Path file) {
        try {
            return JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build()
                    .readValue(Files.readString(file), Keys.class)
                    .toConfig();
        } catch (JacksonException e) {
            throw new IllegalArgumentException(file + ": " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException | IOException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** The file's keys. */
    private record Keys(
            @Nullable String cluster,
            @Nullable String keysFile,
            @Nullable String root,
            @Nullable String domain,
            @Nullable String listenAddress,
            @Nullable Integer port,
            @Nullable String portFile,
            @Nullable String metricsAddress,
            @Nullable Integer metricsPort,
            @Nullable String metricsPortFile) {
        private S3DoorConfig toConfig() throws IOException {
            if (cluster == null) {
                throw new IllegalArgumentException("cluster is missing: the directory with client.json");
            }
            Path directory = Path.of(cluster);
            return new S3DoorConfig(
                    directory,
                    keysFile == null ? directory.resolve(AccessKeys.NAME) : Path.of(keysFile),
                    path(root == null ? "/" : root),
                    domain == null ? DOMAIN : domain,
                    address(listenAddress, port),
                    Optional.ofNullable(portFile).map(Path::of),
                    address(metricsAddress, metricsPort),
                    Optional.ofNullable(metricsPortFile).map(Path::of));
        }

        private static FsPath path(String root) {
            try {
                return FsPath.of(root);
            } catch (FsException e) {
                throw new IllegalArgumentException("root: " + e.getMessage(), e);
            }
        }

        private static InetSocketAddress address(@Nullable String host, @Nullable Integer port) throws IOException {
            int number = port == null ? 0 : port;
            if (number < 0 || number > MOST_PORT) {
                throw new IllegalArgumentException("ports must be 0..65535, not " + number);
            }
            return new InetSocketAddress(
                    InetAddress.getByName(host == null ? Hosts.loopback() : Hosts.bare(host)), number);
        }
    }
}
