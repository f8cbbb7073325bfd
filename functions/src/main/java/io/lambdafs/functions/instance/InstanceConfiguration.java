package io.lambdafs.functions.instance;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The source of an instance's configuration: a file, or variables on platforms without files. Immutable.
 *
 * @param file {@code LAMBDAFS_CONF}: the JSON file
 * @param text {@code LAMBDAFS_CONFIG}: the JSON itself, in place of a file
 * @param secret {@code LAMBDAFS_SECRET}: the cluster's secret, if the configuration names no file
 * @param advertisedHost {@code LAMBDAFS_ADVERTISED_HOST}: address at which other instances reach this one; by default
 *     the configuration's, or else the local address used to reach the store
 */
public record InstanceConfiguration(
        @Nullable Path file,
        @Nullable String text,
        @Nullable String secret,
        @Nullable String advertisedHost) {

    public static InstanceConfiguration of(Map<String, String> variables) {
        String file = given(variables, "LAMBDAFS_CONF");
        return new InstanceConfiguration(
                file == null ? null : Path.of(file),
                given(variables, "LAMBDAFS_CONFIG"),
                given(variables, "LAMBDAFS_SECRET"),
                given(variables, "LAMBDAFS_ADVERTISED_HOST"));
    }

    private static @Nullable String given(Map<String, String> variables, String name) {
        String value = variables.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    boolean isGiven() {
        return file != null || text != null;
    }

    /** Reads and validates the configuration; fails with the error in it. */
    FunctionConfig read() {
        FunctionConfig config = parsed();
        if (advertisedHost != null) {
            return config.withAdvertisedHost(advertisedHost);
        }
        String host = config.endpoints().advertisedHost();
        return host.equals("0.0.0.0") || host.equals("::")
                ? config.withAdvertisedHost(ownAddress(config.endpoints()))
                : config;
    }

    private FunctionConfig parsed() {
        Path secretFile = secret == null ? null : privateFile(secret);
        if (file != null) {
            return FunctionConfigReader.read(file, secretFile);
        }
        if (text == null) {
            throw FsException.invalidArgument(
                    "the instance is told no configuration: deploy the functions with lambdafs deploy, which sends LAMBDAFS_CONFIG along");
        }
        return FunctionConfigReader.parse(text.getBytes(StandardCharsets.UTF_8), secretFile);
    }

    /** Writes the secret to a private file: later steps read secrets from files and refuse files readable by others. */
    private static Path privateFile(String secret) {
        try {
            Path file = Files.createTempFile(
                    "lambdafs",
                    ".secret",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            file.toFile().deleteOnExit();
            return Files.writeString(file, secret.strip() + "\n");
        } catch (IOException e) {
            throw FsException.unavailable(
                    "cannot keep the cluster's secret in " + System.getProperty("java.io.tmpdir") + ": " + e
                            + "; give the container a /tmp that it may write to",
                    e);
        }
    }

    /** Returns the local address of packets to the store; nothing is sent. */
    private static String ownAddress(FunctionConfig.Endpoints endpoints) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(Hosts.addresses(endpoints.store()).get(0));
            return socket.getLocalAddress().getHostAddress();
        } catch (SocketException | UncheckedIOException e) {
            throw FsException.unavailable(
                    "cannot tell by which address this machine reaches the store " + endpoints.store() + ": " + e
                            + "; set advertisedHost, or LAMBDAFS_ADVERTISED_HOST",
                    e);
        }
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "InstanceConfiguration[file=" + file + ", isText=" + (text != null) + "]";
    }
}
