package io.lambdafs.door.hdfs;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.ServiceMain;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a door. Immutable and validated.
 *
 * @param cluster the directory with the cluster's {@code client.json}; its secret lets the door act for any user
 * @param authentication of its clients
 * @param listen the address of both ports
 * @param port of the calls; 0 for any free one
 * @param data the port of the data
 * @param portFile receives the port of the calls once the door serves
 * @param pages with the door's numbers
 */
public record HdfsDoorConfig(
        Path cluster,
        Authentication authentication,
        InetAddress listen,
        int port,
        Data data,
        Optional<Path> portFile,
        Pages pages) {
    private static final int MOST_PORT = 65_535;

    public HdfsDoorConfig {
        if (!listen.isLoopbackAddress() && !authentication.proves()) {
            throw new IllegalArgumentException("listenAddress must be this machine's alone, like 127.0.0.1, not "
                    + listen.getHostAddress() + ": authentication " + authentication.label()
                    + " believes whoever connects");
        }
        if (IntStream.of(port, data.port(), pages.port()).anyMatch(each -> each < 0 || each > MOST_PORT)) {
            throw new IllegalArgumentException(
                    "ports must be 0..65535, not " + port + ", " + data.port() + " and " + pages.port());
        }
    }

    /**
     * Returns the settings of a door that a command starts.
     *
     * @param listen empty for loopback
     * @throws IOException if there is no such host
     * @throws IllegalArgumentException if the door may not listen there
     */
    public static HdfsDoorConfig of(Path cluster, String listen, int port) throws IOException {
        InetAddress host = InetAddress.getByName(listen.isEmpty() ? Hosts.loopback() : Hosts.bare(listen));
        return new HdfsDoorConfig(
                cluster, Authentication.SIMPLE, host, port, Data.ALONE, Optional.empty(), Pages.ANYWHERE);
    }

    /**
     * The port of the data, and those of other doors, which go on with what this one has begun.
     *
     * @param port 0 for any free one
     * @param portFile receives the port
     * @param others files with the ports of the cluster's other doors, each absent while its door has never run
     */
    public record Data(int port, Optional<Path> portFile, List<Path> others) {
        static final Data ALONE = new Data(0, Optional.empty(), List.of());

        public Data {
            others = List.copyOf(others);
        }

        /** Returns the port that it had at its last start; empty if a port is set, or it has never run. */
        OptionalInt former() {
            return port != 0 || portFile.isEmpty() ? OptionalInt.empty() : ServiceMain.readPort(portFile.get());
        }
    }

    /**
     * The pages with a door's numbers, which hold nothing of the file system.
     *
     * @param host the address to serve them at
     * @param port 0 for any free one
     * @param portFile receives the port
     */
    public record Pages(String host, int port, Optional<Path> portFile) {
        static final Pages ANYWHERE = new Pages(Hosts.loopback(), 0, Optional.empty());
    }

    /** A way to know clients' users. */
    public enum Authentication {
        /** Hadoop's: believes the user that the connection names. */
        SIMPLE;

        public String label() {
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
     * Reads a JSON file: {@code cluster}, {@code authentication} (it must be named: {@code simple}), and, with defaults,
     * {@code listenAddress}, {@code port}, {@code dataPort}, {@code dataPortFile}, {@code
     * otherDataPortFiles}, {@code portFile}, {@code metricsAddress}, {@code
     * metricsPort}, {@code metricsPortFile}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong
     */
    public static HdfsDoorConfig load(Path file) {
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
            @Nullable String dataPortFile,
            @Nullable List<String> otherDataPortFiles,
            @Nullable String portFile,
            @Nullable String metricsAddress,
            @Nullable Integer metricsPort,
            @Nullable String metricsPortFile) {
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
                    new Data(
                            dataPort == null ? 0 : dataPort,
                            Optional.ofNullable(dataPortFile).map(Path::of),
                            otherDataPortFiles == null
                                    ? List.of()
                                    : otherDataPortFiles.stream().map(Path::of).toList()),
                    Optional.ofNullable(portFile).map(Path::of),
                    new Pages(
                            metricsAddress == null ? Hosts.loopback() : metricsAddress,
                            metricsPort == null ? 0 : metricsPort,
                            Optional.ofNullable(metricsPortFile).map(Path::of)));
        }
    }
}
