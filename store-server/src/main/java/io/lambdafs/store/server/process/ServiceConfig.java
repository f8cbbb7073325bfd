package io.lambdafs.store.server.process;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.store.engine.StoreLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a store server with any engine. Validated; immutable.
 *
 * @param listen address for clients; port 0 takes any free one
 * @param portFile file the port is written to once listening
 * @param metrics address of {@code /metrics} and {@code /healthz}; port 0 takes any free one
 * @param metricsPortFile file the metrics port is written to
 * @param secretFile the cluster's secret; none accepts every token
 * @param tls for services and the metrics port; none for no TLS
 * @param standby whether it waits and refuses clients while another server serves its database
 */
public record ServiceConfig(
        StoreLimits limits,
        InetSocketAddress listen,
        Optional<Path> portFile,
        InetSocketAddress metrics,
        Optional<Path> metricsPortFile,
        Optional<Path> secretFile,
        Optional<TlsFiles> tls,
        boolean standby) {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Set<String> KEYS = Set.of(
            "secretFile",
            "insecure",
            "listenAddress",
            "port",
            "portFile",
            "metricsAddress",
            "metricsPort",
            "metricsPortFile",
            "tlsCa",
            "tlsCertificate",
            "tlsKey",
            "lockWaitMillis",
            "transactionLimitMillis",
            "maxTransactions",
            "standby");

    /** Creates an engine's configuration from its own and the common keys. */
    @FunctionalInterface
    public interface Reader<K, C> {
        C read(K keys, ServiceConfig service) throws IOException;
    }

    /**
     * Reads a JSON file: {@code secretFile} or {@code insecure: true}; with defaults {@code listenAddress}, {@code port}, {@code
     * portFile}, {@code metricsAddress}, {@code metricsPort}, {@code metricsPortFile}, {@code tlsCa}, {@code tlsCertificate}, {@code tlsKey}, {@code lockWaitMillis}, {@code
     * transactionLimitMillis}, {@code maxTransactions}, {@code standby}; and the keys of an engine.
     *
     * @param type a record of the engine's keys
     * @throws IllegalArgumentException naming the file and what is wrong: a key is unknown, missing or out of range
     */
    public static <K, C> C load(Path file, Class<K> type, Reader<K, C> reader) {
        try {
            JsonNode tree = MAPPER.readTree(Files.readString(file));
            if (!(tree instanceof ObjectNode engine)) {
                throw new IllegalArgumentException("a JSON object is expected");
            }
            ObjectNode common = engine.deepCopy().retain(KEYS);
            engine.remove(KEYS);
            K keys = MAPPER.treeToValue(engine, type);
            return reader.read(keys, MAPPER.treeToValue(common, Keys.class).toConfig());
        } catch (JacksonException e) {
            throw new IllegalArgumentException(file + ": " + e.getOriginalMessage(), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** The file's keys; absent ones take their defaults. */
    record Keys(
            @Nullable String secretFile,
            @Nullable Boolean insecure,
            @Nullable String listenAddress,
            @Nullable Integer port,
            @Nullable String portFile,
            @Nullable String metricsAddress,
            @Nullable Integer metricsPort,
            @Nullable String metricsPortFile,
            @Nullable String tlsCa,
            @Nullable String tlsCertificate,
            @Nullable String tlsKey,
            @Nullable Long lockWaitMillis,
            @Nullable Long transactionLimitMillis,
            @Nullable Integer maxTransactions,
            @Nullable Boolean standby) {
        private ServiceConfig toConfig() throws IOException {
            if ((secretFile == null) != Boolean.TRUE.equals(insecure)) {
                throw new IllegalArgumentException("exactly one of secretFile and insecure: true is needed");
            }
            return new ServiceConfig(
                    limits(StoreLimits.defaults()),
                    address(listenAddress, port),
                    path(portFile),
                    address(metricsAddress, metricsPort),
                    path(metricsPortFile),
                    path(secretFile),
                    TlsFiles.ofService(tlsCa, tlsCertificate, tlsKey),
                    Boolean.TRUE.equals(standby));
        }

        private StoreLimits limits(StoreLimits base) {
            return new StoreLimits(
                    lockWaitMillis == null ? base.lockWait() : Duration.ofMillis(lockWaitMillis),
                    transactionLimitMillis == null
                            ? base.transactionLimit()
                            : Duration.ofMillis(transactionLimitMillis),
                    maxTransactions == null ? base.maxTransactions() : maxTransactions,
                    base.maxWaitersPerKey());
        }

        private static InetSocketAddress address(@Nullable String host, @Nullable Integer port) throws IOException {
            InetAddress address = InetAddress.getByName(host == null ? Hosts.loopback() : host);
            return new InetSocketAddress(address, port == null ? 0 : port);
        }

        private static Optional<Path> path(@Nullable String file) {
            return Optional.ofNullable(file).map(Path::of);
        }
    }
}
