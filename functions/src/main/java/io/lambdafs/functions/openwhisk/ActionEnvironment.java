package io.lambdafs.functions.openwhisk;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the platform tells the process by environment variables. Immutable.
 *
 * @param port {@code LAMBDAFS_ACTION_PORT}, 8080 unless given; 0 takes any free one
 * @param key follows from {@code LAMBDAFS_ACTION_KEY}: what the platform and this process prove to each other to hold; null where the
 *     platform gives none, as OpenWhisk's does, whose containers nobody else can reach
 * @param portFile {@code LAMBDAFS_ACTION_PORT_FILE}: written, whole or not at all, once the port is open
 * @param configFile {@code LAMBDAFS_CONF}: the JSON configuration, required
 * @param parentPid {@code LAMBDAFS_PARENT_PID}: the process ends some time after that one has
 * @param parentGraceMillis {@code LAMBDAFS_PARENT_GRACE_MILLIS}: how long it goes on without its parent, 30,000 unless given
 * @param instance {@code LAMBDAFS_INSTANCE_ID}: the platform's id of this instance; made up where not given
 * @param advertisedHost {@code LAMBDAFS_ADVERTISED_HOST}: where other instances reach this one; what the configuration says where not given
 * @param logMarkers {@code LAMBDAFS_LOG_MARKERS}: whether to end each activation's logs as OpenWhisk's containers must
 */
record ActionEnvironment(
        int port,
        @Nullable Secret key,
        @Nullable Path portFile,
        Path configFile,
        OptionalLong parentPid,
        long parentGraceMillis,
        String instance,
        @Nullable String advertisedHost,
        boolean logMarkers) {
    private static final long MAX_GRACE_MILLIS = 3_600_000;

    static ActionEnvironment of(Map<String, String> variables) {
        String config = variables.get("LAMBDAFS_CONF");
        if (config == null || config.isEmpty()) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "LAMBDAFS_CONF is not set: it must name the function's configuration file");
        }
        String portFile = variables.get("LAMBDAFS_ACTION_PORT_FILE");
        String parent = variables.get("LAMBDAFS_PARENT_PID");
        String instance = variables.get("LAMBDAFS_INSTANCE_ID");
        String key = variables.get("LAMBDAFS_ACTION_KEY");
        String advertised = variables.get("LAMBDAFS_ADVERTISED_HOST");
        return new ActionEnvironment(
                (int) number("LAMBDAFS_ACTION_PORT", variables.getOrDefault("LAMBDAFS_ACTION_PORT", "8080"), 65_535),
                key == null || key.isEmpty() ? null : Secret.of(key),
                portFile == null || portFile.isEmpty() ? null : Path.of(portFile),
                Path.of(config),
                parent == null || parent.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(number("LAMBDAFS_PARENT_PID", parent, Long.MAX_VALUE)),
                number(
                        "LAMBDAFS_PARENT_GRACE_MILLIS",
                        variables.getOrDefault("LAMBDAFS_PARENT_GRACE_MILLIS", "30000"),
                        MAX_GRACE_MILLIS),
                instance == null || instance.isEmpty() ? madeUp() : instance,
                advertised == null || advertised.isEmpty() ? null : advertised,
                "true".equals(variables.get("LAMBDAFS_LOG_MARKERS")));
    }

    /** Reads the configuration, with what the platform says beside it. */
    FunctionConfig config() {
        FunctionConfig config = FunctionConfigReader.read(configFile);
        return advertisedHost == null ? config : config.withAdvertisedHost(advertisedHost);
    }

    private static long number(String name, String text, long max) {
        try {
            long value = Long.parseLong(text);
            if (value >= 0 && value <= max) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Said below.
        }
        throw new FsException(
                ErrorCode.INVALID_ARGUMENT, name + " must be a number from 0 to " + max + ", not \"" + text + "\"");
    }

    private static String madeUp() {
        return "i" + Long.toHexString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
    }
}
