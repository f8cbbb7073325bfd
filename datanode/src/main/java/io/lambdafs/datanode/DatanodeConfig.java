package io.lambdafs.datanode;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.datanode.server.ServerLimits;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.objects.ObjectPlace;
import io.lambdafs.rpc.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a datanode. Immutable and validated.
 *
 * @param id its name, kept over restarts
 * @param metadata addresses of the metadata store; one of several servers serves
 * @param blockStore name of its block store in the metadata
 * @param blocks the place of that store: a directory, or {@code s3://BUCKET/PREFIX}
 * @param endpoint of the object store, unless it is Amazon's
 * @param encryption the object store's server-side encryption: {@code AES256}, {@code aws:kms}; empty for the bucket's
 *     default
 * @param cacheDirectory for copies of objects, and for parts being uploaded; this datanode's alone
 * @param cacheBytes of all copies together; 0 for none
 * @param listen the address for clients; port 0 takes any free one
 * @param advertisedHost the host that clients are given
 * @param portFile receives the port once it serves
 * @param metrics the address of {@code /metrics} and {@code /healthz}; port 0 takes any free one
 * @param metricsPortFile receives this port
 * @param secretFile the cluster's secret; without one, every token is believed
 * @param tls used with the metadata store, with clients, and at its metrics port; empty for no TLS
 * @param threads that read and write blocks
 * @param reportPeriod after which each bucket of the block store is compared with the metadata again; zero for never
 */
public record DatanodeConfig(
        String id,
        List<InetSocketAddress> metadata,
        String blockStore,
        String blocks,
        Optional<String> endpoint,
        Optional<String> encryption,
        Optional<Path> cacheDirectory,
        long cacheBytes,
        InetSocketAddress listen,
        String advertisedHost,
        Optional<Path> portFile,
        InetSocketAddress metrics,
        Optional<Path> metricsPortFile,
        Optional<Path> secretFile,
        Optional<TlsFiles> tls,
        int threads,
        ServerLimits limits,
        Duration reportPeriod) {
    private static final int THREADS = 32;
    private static final int REPORT_MINUTES = 360;
    private static final String LOOPBACK = Hosts.loopback();

    /**
     * Reads a JSON file: {@code id}, {@code store} (host:port), {@code blockStore}, {@code blocks}, {@code secretFile}
     * or {@code insecure: true}, for an object store {@code cacheDirectory}, and, with defaults, {@code endpoint},
     * {@code encryption}, {@code cacheBytes}, {@code listenAddress}, {@code port}, {@code portFile},
     * {@code advertisedHost}, {@code metricsAddress}, {@code metricsPort}, {@code metricsPortFile}, {@code tlsCa},
     * {@code tlsCertificate}, {@code tlsKey}, {@code threads}, {@code bufferBytes}, {@code idleMillis},
     * {@code reportMinutes}. The environment may supply keys that the file omits: {@code LAMBDAFS_DATANODE_ID} and
     * {@code LAMBDAFS_ADVERTISED_HOST} stand for {@code id} and {@code advertisedHost}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong: a key is unknown, missing or out of range
     */
    public static DatanodeConfig load(Path file, Map<String, String> environment) {
        try {
            Keys keys = JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build()
                    .readValue(Files.readString(file), Keys.class);
            return keys.toConfig(environment);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(file + ": " + e.getOriginalMessage(), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** The file's keys; an absent one takes its default. */
    record Keys(
            @Nullable String id,
            @Nullable String store,
            @Nullable String blockStore,
            @Nullable String blocks,
            @Nullable String endpoint,
            @Nullable String encryption,
            @Nullable String cacheDirectory,
            @Nullable Long cacheBytes,
            @Nullable String secretFile,
            @Nullable Boolean insecure,
            @Nullable String listenAddress,
            @Nullable Integer port,
            @Nullable String portFile,
            @Nullable String advertisedHost,
            @Nullable String metricsAddress,
            @Nullable Integer metricsPort,
            @Nullable String metricsPortFile,
            @Nullable String tlsCa,
            @Nullable String tlsCertificate,
            @Nullable String tlsKey,
            @Nullable Integer threads,
            @Nullable Long bufferBytes,
            @Nullable Long idleMillis,
            @Nullable Integer reportMinutes) {
        private DatanodeConfig toConfig(Map<String, String> environment) throws IOException {
            String name = needed(
                    "id",
                    id == null ? environment.get("LAMBDAFS_DATANODE_ID") : id,
                    "give it in the file or as LAMBDAFS_DATANODE_ID; each datanode has its own, such as datanode-1");
            String named =
                    needed("blockStore", blockStore, "the name of the block store in the metadata, such as blocks");
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,63}")) {
                throw new IllegalArgumentException("id must be 1..64 of A-Z a-z 0-9 _ -, not " + name);
            }
            if (named.length() > BlockTokens.MAX_STORE_CHARS) {
                throw new IllegalArgumentException(
                        "blockStore may have " + BlockTokens.MAX_STORE_CHARS + " characters");
            }
            if ((secretFile == null) != Boolean.TRUE.equals(insecure)) {
                throw new IllegalArgumentException("exactly one of secretFile and insecure: true is needed");
            }
            String place = needed("blocks", blocks, "a directory for the blocks, or s3://BUCKET/PREFIX");
            if (ObjectPlace.isOne(place)) {
                ObjectPlace.of(place);
                needed("cacheDirectory", cacheDirectory, "a directory for copies of objects");
            }
            if (cacheBytes != null && cacheBytes < 0) {
                throw new IllegalArgumentException("cacheBytes must be 0 or more, not " + cacheBytes);
            }
            int pool = threads == null ? THREADS : threads;
            if (pool < 1 || pool > 1_024) {
                throw new IllegalArgumentException("threads must be 1..1024, not " + pool);
            }
            int minutes = reportMinutes == null ? REPORT_MINUTES : reportMinutes;
            if (minutes < 0) {
                throw new IllegalArgumentException("reportMinutes must be 0 or more, not " + minutes);
            }
            String host = listenAddress == null ? LOOPBACK : listenAddress;
            String told = advertisedHost == null ? environment.get("LAMBDAFS_ADVERTISED_HOST") : advertisedHost;
            InetSocketAddress listen = address(host, port);
            if (told == null && listen.getAddress().isAnyLocalAddress()) {
                throw new IllegalArgumentException(
                        "advertisedHost is missing: clients cannot connect to " + host
                                + "; give the address for clients in the file or as LAMBDAFS_ADVERTISED_HOST, such as the pod's");
            }
            return new DatanodeConfig(
                    name,
                    endpointsOf(needed("store", store, "HOST:PORT of the metadata store")),
                    named,
                    place,
                    Optional.ofNullable(endpoint),
                    Optional.ofNullable(encryption),
                    path(cacheDirectory),
                    cacheBytes == null ? 0 : cacheBytes,
                    listen,
                    told == null ? host : told,
                    path(portFile),
                    address(metricsAddress == null ? LOOPBACK : metricsAddress, metricsPort),
                    path(metricsPortFile),
                    path(secretFile),
                    TlsFiles.ofService(tlsCa, tlsCertificate, tlsKey),
                    pool,
                    limits(),
                    Duration.ofMinutes(minutes));
        }

        private ServerLimits limits() {
            ServerLimits base = ServerLimits.of(Runtime.getRuntime().maxMemory());
            return new ServerLimits(
                    base.windowBytes(),
                    bufferBytes == null ? base.bufferBytes() : bufferBytes,
                    idleMillis == null ? base.idle() : Duration.ofMillis(idleMillis));
        }

        private static String needed(String key, @Nullable String value, String what) {
            if (value == null || value.isEmpty()) {
                throw new IllegalArgumentException(key + " is missing: " + what);
            }
            return value;
        }

        private static List<InetSocketAddress> endpointsOf(String text) {
            if (!Hosts.areAddresses(text)) {
                throw new IllegalArgumentException("store must be host:port[,host:port…], not " + text);
            }
            return Hosts.addresses(text);
        }

        private static InetSocketAddress address(String host, @Nullable Integer port) throws IOException {
            return new InetSocketAddress(InetAddress.getByName(host), port == null ? 0 : port);
        }

        private static Optional<Path> path(@Nullable String file) {
            return Optional.ofNullable(file).map(Path::of);
        }
    }
}
