package io.lambdafs.functions.openwhisk;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Placement;
import io.lambdafs.rpc.auth.Secret;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the platform tells the process by environment variables. Immutable.
 *
 * @param port {@code LAMBDAFS_ACTION_PORT}, or {@code PORT} as platforms for plain HTTP say it, 8080 unless given; 0 takes any free one
 * @param key follows from {@code LAMBDAFS_ACTION_KEY}: what the platform and this process prove to each other to hold; null where the
 *     platform gives none, as OpenWhisk's does, whose containers nobody else can reach
 * @param portFile {@code LAMBDAFS_ACTION_PORT_FILE}: written, whole or not at all, once the port is open
 * @param configuration the function's configuration, and where it comes from
 * @param listenHost {@code LAMBDAFS_LISTEN_HOST}: where it listens as long as it has no configuration, which says where; all addresses unless
 *     given
 * @param deployment {@code LAMBDAFS_DEPLOYMENT}: the instance starts for it by itself, where no {@code /init} tells it
 * @param parentPid {@code LAMBDAFS_PARENT_PID}: the process ends some time after that one has
 * @param parentGraceMillis {@code LAMBDAFS_PARENT_GRACE_MILLIS}: how long it goes on without its parent, 30,000 unless given
 * @param instance {@code LAMBDAFS_INSTANCE_ID}: the platform's id of this instance; made up where not given
 * @param logMarkers {@code LAMBDAFS_LOG_MARKERS}: whether to end each activation's logs as OpenWhisk's containers must, and do unless told
 *     otherwise
 */
record ActionEnvironment(
        int port,
        @Nullable Secret key,
        @Nullable Path portFile,
        InstanceConfiguration configuration,
        String listenHost,
        OptionalInt deployment,
        OptionalLong parentPid,
        long parentGraceMillis,
        String instance,
        boolean logMarkers) {
    /** A variable that OpenWhisk gives every container. */
    private static final String OPENWHISK = "__OW_API_HOST";

    private static final long MAX_GRACE_MILLIS = 3_600_000;

    static ActionEnvironment of(Map<String, String> variables) {
        InstanceConfiguration configuration = InstanceConfiguration.of(variables);
        if (!configuration.isGiven() && !variables.containsKey(OPENWHISK)) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "LAMBDAFS_CONF is not set: it must name the function's configuration file");
        }
        String portFile = variables.get("LAMBDAFS_ACTION_PORT_FILE");
        String parent = variables.get("LAMBDAFS_PARENT_PID");
        String instance = variables.get("LAMBDAFS_INSTANCE_ID");
        String key = variables.get("LAMBDAFS_ACTION_KEY");
        String deployment = variables.get("LAMBDAFS_DEPLOYMENT");
        String port = variables.getOrDefault("LAMBDAFS_ACTION_PORT", "");
        String listens = port.isEmpty() ? variables.getOrDefault("PORT", "8080") : port;
        return new ActionEnvironment(
                (int) number("LAMBDAFS_ACTION_PORT", listens, 65_535),
                key == null || key.isEmpty() ? null : Secret.of(key),
                portFile == null || portFile.isEmpty() ? null : Path.of(portFile),
                configuration,
                variables.getOrDefault("LAMBDAFS_LISTEN_HOST", "0.0.0.0"),
                deployment == null || deployment.isEmpty()
                        ? OptionalInt.empty()
                        : OptionalInt.of(
                                (int) number("LAMBDAFS_DEPLOYMENT", deployment, Placement.MAX_DEPLOYMENTS - 1)),
                parent == null || parent.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(number("LAMBDAFS_PARENT_PID", parent, Long.MAX_VALUE)),
                number(
                        "LAMBDAFS_PARENT_GRACE_MILLIS",
                        variables.getOrDefault("LAMBDAFS_PARENT_GRACE_MILLIS", "30000"),
                        MAX_GRACE_MILLIS),
                instance == null || instance.isEmpty() ? madeUp() : instance,
                Boolean.parseBoolean(variables.getOrDefault(
                        "LAMBDAFS_LOG_MARKERS", Boolean.toString(variables.containsKey(OPENWHISK)))));
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
