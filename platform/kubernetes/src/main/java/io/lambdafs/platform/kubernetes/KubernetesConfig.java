package io.lambdafs.platform.kubernetes;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a gateway whose instances are pods. Immutable.
 *
 * @param gateway the file with the gateway's own configuration
 * @param deployment the Kubernetes Deployment that owns the pods: Kubernetes removes them with it
 * @param podTemplate the file with the pod of an instance, in YAML
 * @param actionKeyFile the key that instances and the gateway prove to each other
 * @param port the port of an instance
 * @param lease the Lease that the leader of several gateways holds; empty for a single gateway
 * @param leadership the validity of a Lease, and the interval of its renewals
 * @param functions the functions registered at the start
 */
record KubernetesConfig(
        Path gateway,
        String deployment,
        Path podTemplate,
        Path actionKeyFile,
        int port,
        String lease,
        Leadership.Times leadership,
        Functions functions) {
    private static final int MAX_DEPLOYMENTS = 1024;
    private static final int LOGS_MB = 10;
    /** The minimum number of attempts before a leader gives up. */
    private static final int RETRIES = 3;

    /**
     * The n functions.
     *
     * @param prefix the part of their names before the number
     */
    record Functions(String kind, String prefix, int deployments, ActionLimits limits) {
        List<ActionSpec> specs() {
            return IntStream.range(0, deployments)
                    .mapToObj(number -> ActionSpec.of(prefix + number, ActionExec.ofKind(kind), limits))
                    .toList();
        }
    }

    /**
     * Reads a JSON file: {@code gateway}, {@code deployment}, {@code podTemplate}, {@code actionKeyFile}, {@code port},
     * {@code kind}, {@code actionPrefix}, {@code deployments}, {@code memoryMb}, {@code concurrency}, {@code
     * timeoutMillis}; {@code lease} for several gateways, and, with Kubernetes' own values by default, its {@code
     * leaseMillis}, {@code leaseRenewalMillis} and {@code leaseRetryMillis}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong: a key is unknown, missing or out of range
     */
    static KubernetesConfig load(Path file) {
        try {
            return JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build()
                    .readValue(Files.readString(file), Keys.class)
                    .toConfig();
        } catch (JacksonException e) {
            throw new IllegalArgumentException(file + ": " + e.getOriginalMessage(), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** The file's keys; all except the lease's are required. */
    record Keys(
            @Nullable String gateway,
            @Nullable String deployment,
            @Nullable String podTemplate,
            @Nullable String actionKeyFile,
            @Nullable Integer port,
            @Nullable String lease,
            @Nullable Long leaseMillis,
            @Nullable Long leaseRenewalMillis,
            @Nullable Long leaseRetryMillis,
            @Nullable String kind,
            @Nullable String actionPrefix,
            @Nullable Integer deployments,
            @Nullable Integer memoryMb,
            @Nullable Integer concurrency,
            @Nullable Long timeoutMillis) {
        private KubernetesConfig toConfig() {
            int listens = needed("port", port);
            int count = needed("deployments", deployments);
            if (listens < 1 || listens > 65_535) {
                throw new IllegalArgumentException("port must be 1..65535, not " + listens);
            }
            if (count < 1 || count > MAX_DEPLOYMENTS) {
                throw new IllegalArgumentException("deployments must be 1.." + MAX_DEPLOYMENTS + ", not " + count);
            }
            ActionLimits limits = new ActionLimits(
                    needed("timeoutMillis", timeoutMillis),
                    needed("memoryMb", memoryMb),
                    LOGS_MB,
                    needed("concurrency", concurrency));
            return new KubernetesConfig(
                    Path.of(needed("gateway", gateway)),
                    needed("deployment", deployment),
                    Path.of(needed("podTemplate", podTemplate)),
                    Path.of(needed("actionKeyFile", actionKeyFile)),
                    listens,
                    lease == null ? "" : lease,
                    leadership(),
                    new Functions(needed("kind", kind), needed("actionPrefix", actionPrefix), count, limits));
        }

        private Leadership.Times leadership() {
            Leadership.Times otherwise = Leadership.Times.DEFAULT;
            Leadership.Times times = new Leadership.Times(
                    leaseMillis == null ? otherwise.lease() : Duration.ofMillis(leaseMillis),
                    leaseRenewalMillis == null ? otherwise.renewal() : Duration.ofMillis(leaseRenewalMillis),
                    leaseRetryMillis == null ? otherwise.retry() : Duration.ofMillis(leaseRetryMillis));
            if (times.retry().toMillis() < 1
                    || times.renewal().compareTo(times.retry().multipliedBy(RETRIES)) < 0
                    || times.lease().compareTo(times.renewal()) <= 0) {
                throw new IllegalArgumentException(
                        "leaseMillis must be more than leaseRenewalMillis, and that at least "
                                + RETRIES + " times leaseRetryMillis, not "
                                + times.lease().toMillis() + ", "
                                + times.renewal().toMillis() + " and "
                                + times.retry().toMillis());
            }
            return times;
        }

        private static <T> T needed(String key, @Nullable T value) {
            if (value == null || value.equals("")) {
                throw new IllegalArgumentException(key + " is missing");
            }
            return value;
        }
    }
}
