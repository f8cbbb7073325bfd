package io.lambdafs.door.hdfs;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.rpc.Hosts;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a door. Immutable and validated.
 *
 * @param cluster the directory with the cluster's {@code client.json}; its secret lets the door act for any user
 * @param authentication of its clients
 * @param listen the address of both ports
 * @param port of the calls; 0 for any free one
 * @param dataPort of the data; 0 for any free one
 * @param portFile receives the port of the calls once the door serves
 */
public record HdfsDoorConfig(
        Path cluster,
        Authentication authentication,
        InetAddress listen,
        int port,
        int dataPort,
        Optional<Path> portFile) {
    private static final int MOST_PORT = 65_535;

    public HdfsDoorConfig {
        if (!listen.isLoopbackAddress() && !authentication.proves()) {
            throw new IllegalArgumentException("listenAddress must be this machine's alone, like 127.0.0.1, not "
                    + listen.getHostAddress() + ": authentication " + authentication.label()
                    + " believes whoever connects");
        }
        if (port < 0 || port > MOST_PORT || dataPort < 0 || dataPort > MOST_PORT) {
            throw new IllegalArgumentException("ports must be 0..65535, not " + port + " and " + dataPort);
        }
    }

    /** A way to identify clients' users. */
    public enum Authentication {
        /** Hadoop's: believes the user that the connection names. */
        SIMPLE;

        String label() {
            return "simple";
        }

        /** Returns whether it proves who a client is. */
        boolean proves() {
            return switch (this) {
                case SIMPLE -> false;
            };
        }
    }

    /**
     * Reads a JSON file: {@code cluster}, {@code authentication} (required: {@code simple}), and, with defaults, {@code
     * listenAddress}, {@code port}, {@code dataPort}, {@code portFile}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong
     */
    static HdfsDoorConfig load(Path file) {
        try {
            Keys keys = JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build()
                    .readValue(Files.readString(file), Keys.class);
            return keys.toConfig();
        } catch (JacksonException e) {
            throw new IllegalArgumentException(file + ": " + e.getOriginalMessage(), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** The file's keys; an absent one takes its default. */
    record Keys(
            @Nullable String cluster,
            @Nullable String authentication,
            @Nullable String listenAddress,
            @Nullable Integer port,
            @Nullable Integer dataPort,
            @Nullable String portFile) {
        private HdfsDoorConfig toConfig() throws IOException {
            if (cluster == null) {
                throw new IllegalArgumentException("cluster is missing: the directory with client.json");
            }
            if (!Authentication.SIMPLE.label().equals(authentication)) {
                throw new IllegalArgumentException("authentication must be simple, not " + authentication
                        + ": there is no other yet, and simple believes whoever connects");
            }
            return new HdfsDoorConfig(
                    Path.of(cluster),
                    Authentication.SIMPLE,
                    InetAddress.getByName(listenAddress == null ? Hosts.loopback() : Hosts.bare(listenAddress)),
                    port == null ? 0 : port,
                    dataPort == null ? 0 : dataPort,
                    Optional.ofNullable(portFile).map(Path::of));
        }
    }
}
