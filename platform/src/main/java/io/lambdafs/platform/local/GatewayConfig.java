package io.lambdafs.platform.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.Prices;
import io.lambdafs.platform.local.dashboard.Doors;
import io.lambdafs.platform.local.instance.KindCommand;
import io.lambdafs.platform.local.instance.ProcessLauncher;
import io.lambdafs.platform.local.pool.PoolLimits;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a gateway. Immutable and validated.
 *
 * @param listen address of its HTTP server; port 0 takes any free one
 * @param portFile receives its port once it listens
 * @param namespace of its actions; {@code _} stands for it too
 * @param apiKey key of invocations
 * @param managementKey key of everything else except {@code /healthz} and {@code /metrics}; valid for invocations too
 * @param directory for its children's pid and port files; one gateway at a time
 * @param logs for its instances' output
 * @param maxLogBytes most log bytes of one instance
 * @param startLimit longest time until an instance's process listens
 * @param tls TLS of its connections with clients and instances; empty for none
 * @param kinds start command of each kind of function
 * @param snapshots directory of the images from which instances are restored; empty for none
 * @param doors where those of this machine's cluster tell of themselves, by name
 */
public record GatewayConfig(
        InetSocketAddress listen,
        Optional<Path> portFile,
        String namespace,
        ApiKey apiKey,
        ApiKey managementKey,
        Path directory,
        Path logs,
        long maxLogBytes,
        Duration startLimit,
        PoolLimits pool,
        Throttle.Limits throttle,
        Prices prices,
        Optional<TlsFiles> tls,
        Map<String, KindCommand> kinds,
        Optional<Path> snapshots,
        Map<String, Doors.Place> doors) {
    private static final long DEFAULT_MAX_LOG_BYTES = 8 << 20;
    private static final Duration DEFAULT_START_LIMIT = Duration.ofSeconds(30);

    public GatewayConfig {
        kinds = Map.copyOf(kinds);
        doors = Map.copyOf(doors);
        if (!namespace.matches("[\\w@.-]{1,128}")) {
            throw new IllegalArgumentException("namespace contains illegal characters");
        }
        if (maxLogBytes < 4096) {
            throw new IllegalArgumentException("maxLogBytes must be at least 4096, is " + maxLogBytes);
        }
        if (startLimit.toMillis() < 1) {
            throw new IllegalArgumentException("startLimitMillis must be positive");
        }
    }

    /**
     * Returns a configuration for loopback, any port, namespace {@code guest}, one key for everything as in OpenWhisk,
     * and defaults for the rest.
     */
    public static GatewayConfig of(ApiKey apiKey, Path directory, Map<String, KindCommand> kinds) {
        return new GatewayConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                "guest",
                apiKey,
                apiKey,
                directory,
                directory.resolve("logs"),
                DEFAULT_MAX_LOG_BYTES,
                DEFAULT_START_LIMIT,
                PoolLimits.defaults(),
                Throttle.Limits.defaults(),
                Prices.lambda(),
                Optional.empty(),
                kinds,
                Optional.empty(),
                Map.of());
    }

    public GatewayConfig withManagementKey(ApiKey key) {
        return new GatewayConfig(
                listen,
                portFile,
                namespace,
                apiKey,
                key,
                directory,
                logs,
                maxLogBytes,
                startLimit,
                pool,
                throttle,
                prices,
                tls,
                kinds,
                snapshots,
                doors);
    }

    /**
     * Reads a JSON file. The API key comes from the file that {@code apiKeyFile} names, which only its owner may read,
     * or from the environment variable {@link ProcessLauncher#API_KEY_VARIABLE}; the management key, if it differs,
     * from the file that {@code managementKeyFile} names.
     *
     * @throws ConfigException if a key is unknown, missing or wrong
     */
    public static GatewayConfig load(Path file, Map<String, String> environment) throws ConfigException {
        try {
            return Json.mapper()
                    .readValue(Files.readString(file), ConfigFile.class)
                    .toConfig(environment);
        } catch (JsonMappingException e) {
            throw new ConfigException(
                    file + ": " + e.getPathReference().replaceAll("[\\w.$]+\\$?ConfigFile", "") + ": "
                            + e.getOriginalMessage(),
                    e);
        } catch (JsonProcessingException e) {
            throw new ConfigException(file + ": not JSON: " + e.getMessage(), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    /** The file's keys; absent ones take their defaults. */
    record ConfigFile(
            @Nullable String listenAddress,
            @Nullable Integer port,
            @Nullable String portFile,
            @Nullable String namespace,
            @Nullable String apiKeyFile,
            @Nullable String managementKeyFile,
            @Nullable String directory,
            @Nullable String logsDirectory,
            @Nullable Long maxLogBytes,
            @Nullable Long startLimitMillis,
            @Nullable PoolKeys pool,
            @Nullable ThrottleKeys throttle,
            @Nullable PriceKeys prices,
            @Nullable String tlsCa,
            @Nullable String tlsCertificate,
            @Nullable String tlsKey,
            @Nullable Map<String, KindKeys> kinds,
            @Nullable String snapshots,
            @Nullable Map<String, DoorKeys> doors) {
        GatewayConfig toConfig(Map<String, String> environment) throws IOException {
            if (directory == null) {
                throw new IllegalArgumentException("directory is missing");
            }
            Map<String, KindCommand> commands = new HashMap<>();
            if (kinds != null) {
                kinds.forEach((kind, keys) -> commands.put(kind, keys.toCommand(kind)));
            }
            Map<String, Doors.Place> places = new HashMap<>();
            if (doors != null) {
                doors.forEach((name, keys) -> places.put(name, keys.toPlace(name)));
            }
            Path where = Path.of(directory);
            GatewayConfig base = of(key(environment), where, commands);
            String address = listenAddress == null ? Hosts.loopback() : listenAddress;
            return new GatewayConfig(
                    new InetSocketAddress(InetAddress.getByName(address), port == null ? 0 : port),
                    Optional.ofNullable(portFile).map(Path::of),
                    namespace == null ? base.namespace() : namespace,
                    base.apiKey(),
                    managementKeyFile == null ? base.apiKey() : ApiKey.fromFile(Path.of(managementKeyFile)),
                    where,
                    logsDirectory == null ? base.logs() : Path.of(logsDirectory),
                    maxLogBytes == null ? base.maxLogBytes() : maxLogBytes,
                    startLimitMillis == null ? base.startLimit() : Duration.ofMillis(startLimitMillis),
                    pool == null ? base.pool() : pool.toLimits(base.pool()),
                    throttle == null ? base.throttle() : throttle.toLimits(base.throttle()),
                    prices == null ? base.prices() : prices.toPrices(base.prices()),
                    TlsFiles.ofService(tlsCa, tlsCertificate, tlsKey),
                    commands,
                    Optional.ofNullable(snapshots).map(Path::of),
                    places);
        }

        private ApiKey key(Map<String, String> environment) throws IOException {
            if (apiKeyFile != null) {
                return ApiKey.fromFile(Path.of(apiKeyFile));
            }
            String given = environment.get(ProcessLauncher.API_KEY_VARIABLE);
            if (given == null) {
                throw new IllegalArgumentException(
                        "apiKeyFile is missing, and so is the environment's " + ProcessLauncher.API_KEY_VARIABLE);
            }
            return ApiKey.of(given);
        }
    }

    /** The keys under {@code pool}. */
    record PoolKeys(
            @Nullable Integer memoryMb,
            @Nullable Integer maxInstances,
            @Nullable Integer queueLimit,
            @Nullable Long queueWaitMillis,
            @Nullable Long keepAliveMillis,
            @Nullable Long stopGraceMillis,
            @Nullable Integer prewarm,
            @Nullable Integer startConcurrency) {
        PoolLimits toLimits(PoolLimits base) {
            return new PoolLimits(
                    memoryMb == null ? base.memoryMb() : memoryMb,
                    maxInstances == null ? base.maxInstances() : maxInstances,
                    queueLimit == null ? base.queueLimit() : queueLimit,
                    queueWaitMillis == null ? base.queueWait() : Duration.ofMillis(queueWaitMillis),
                    keepAliveMillis == null ? base.keepAlive() : Duration.ofMillis(keepAliveMillis),
                    stopGraceMillis == null ? base.stopGrace() : Duration.ofMillis(stopGraceMillis),
                    prewarm == null ? base.prewarm() : prewarm,
                    startConcurrency == null ? base.startConcurrency() : startConcurrency);
        }
    }

    /** The keys under {@code throttle}. */
    record ThrottleKeys(
            @Nullable Integer perMinute, @Nullable Integer inFlight) {
        Throttle.Limits toLimits(Throttle.Limits base) {
            return new Throttle.Limits(
                    perMinute == null ? base.perMinute() : perMinute, inFlight == null ? base.inFlight() : inFlight);
        }
    }

    /** The keys under {@code prices}. */
    record PriceKeys(
            @Nullable Double usdPerGbSecond, @Nullable Double usdPerMillionRequests) {
        Prices toPrices(Prices base) {
            return new Prices(
                    usdPerGbSecond == null ? base.usdPerGbSecond() : usdPerGbSecond,
                    usdPerMillionRequests == null ? base.usdPerMillionRequests() : usdPerMillionRequests);
        }
    }

    /** The keys under {@code kinds.NAME}. */
    record KindKeys(
            @Nullable List<String> command,
            @Nullable Map<String, String> environment,
            @Nullable String runtime,
            @Nullable List<String> template) {
        KindCommand toCommand(String kind) {
            if (command == null) {
                throw new IllegalArgumentException("kinds." + kind + ".command is missing");
            }
            return new KindCommand(
                    command,
                    environment == null ? Map.of() : environment,
                    KindCommand.Protocol.of(runtime == null ? "action" : runtime),
                    template == null ? List.of() : template);
        }
    }

    /** The keys under {@code doors.NAME}. */
    record DoorKeys(
            @Nullable String pidFile,
            @Nullable String portFile,
            @Nullable String metricsPortFile) {
        Doors.Place toPlace(String name) {
            if (pidFile == null || portFile == null || metricsPortFile == null) {
                throw new IllegalArgumentException(
                        "doors." + name + " must have pidFile, portFile and metricsPortFile");
            }
            return new Doors.Place(Path.of(pidFile), Path.of(portFile), Path.of(metricsPortFile));
        }
    }
}
