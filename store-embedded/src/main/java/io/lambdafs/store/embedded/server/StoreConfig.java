package io.lambdafs.store.embedded.server;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.embedded.RocksSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a store server runs. Immutable and validated.
 *
 * @param listen where clients connect; port 0 takes any free one
 * @param portFile the file that this port is written to once it listens
 * @param metrics where {@code /metrics} and {@code /healthz} are; port 0 takes any free one
 * @param metricsPortFile the file that this port is written to
 * @param secretFile the cluster's secret; none means that every token is believed
 */
public record StoreConfig(
        RocksSettings settings,
        StoreLimits limits,
        InetSocketAddress listen,
        Optional<Path> portFile,
        InetSocketAddress metrics,
        Optional<Path> metricsPortFile,
        Optional<Path> secretFile) {
    /**
     * Reads a JSON file: {@code directory}, {@code secretFile} or {@code insecure: true}, and, with defaults,
     * {@code listenAddress}, {@code port}, {@code portFile}, {@code metricsAddress}, {@code metricsPort},
     * {@code metricsPortFile}, {@code fsync}, {@code cacheBytes}, {@code memtableBytes}, {@code minFreeBytes},
     * {@code lockWaitMillis}, {@code transactionLimitMillis}, {@code maxTransactions}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong: a key is unknown, missing or out of range
     */
    public static StoreConfig load(Path file) {
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

    /** The file's keys; what is absent takes its default. */
    record Keys(
            @Nullable String directory,
            @Nullable String secretFile,
            @Nullable Boolean insecure,
            @Nullable String listenAddress,
            @Nullable Integer port,
            @Nullable String portFile,
            @Nullable String metricsAddress,
            @Nullable Integer metricsPort,
            @Nullable String metricsPortFile,
            @Nullable Boolean fsync,
            @Nullable Long cacheBytes,
            @Nullable Long memtableBytes,
            @Nullable Long minFreeBytes,
            @Nullable Long lockWaitMillis,
            @Nullable Long transactionLimitMillis,
            @Nullable Integer maxTransactions) {
        private StoreConfig toConfig() throws IOException {
            if (directory == null) {
                throw new IllegalArgumentException("directory is missing");
            }
            if ((secretFile == null) != Boolean.TRUE.equals(insecure)) {
                throw new IllegalArgumentException("exactly one of secretFile and insecure: true is needed");
            }
            return new StoreConfig(
                    settings(RocksSettings.of(Path.of(directory))),
                    limits(StoreLimits.defaults()),
                    address(listenAddress, port),
                    path(portFile),
                    address(metricsAddress, metricsPort),
                    path(metricsPortFile),
                    path(secretFile));
        }

        private RocksSettings settings(RocksSettings base) {
            return new RocksSettings(
                    base.directory(),
                    or(fsync, base::fsync),
                    or(cacheBytes, base::cacheBytes),
                    or(memtableBytes, base::memtableBytes),
                    or(minFreeBytes, base::minFreeBytes),
                    base.readThreads());
        }

        private StoreLimits limits(StoreLimits base) {
            return new StoreLimits(
                    lockWaitMillis == null ? base.lockWait() : Duration.ofMillis(lockWaitMillis),
                    transactionLimitMillis == null
                            ? base.transactionLimit()
                            : Duration.ofMillis(transactionLimitMillis),
                    or(maxTransactions, base::maxTransactions),
                    base.maxWaitersPerKey());
        }

        private static InetSocketAddress address(@Nullable String host, @Nullable Integer port) throws IOException {
            InetAddress address = host == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
            return new InetSocketAddress(address, port == null ? 0 : port);
        }

        private static Optional<Path> path(@Nullable String file) {
            return Optional.ofNullable(file).map(Path::of);
        }

        private static <T> T or(@Nullable T value, Supplier<T> otherwise) {
            return value == null ? otherwise.get() : value;
        }
    }
}
