package io.lambdafs.hadoop;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.client.config.ClientKeys;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's settings in Hadoop's configuration: {@code lambdafs.dir} names the directory of a cluster on this host,
 * and {@code lambdafs.gateway} with {@code lambdafs.secret.file} (or {@code token.file}) any cluster; with neither, the
 * cluster is found as by the command line. An address with {@code host:port} overrides the directory's gateway. Every
 * other {@code lambdafs.} property is one of {@link ClientKeys#names}; unknown ones are rejected. Immutable.
 *
 * @param properties without the prefix
 * @param user to act for
 * @param groups of the user, the primary one first, for tokens signed by this client; empty if a token is given, which
 *     contains them
 */
record Settings(
        Map<String, String> properties,
        String user,
        List<String> groups,
        @Nullable String gatewayOfAddress) {
    static final String PREFIX = "lambdafs.";
    static final String DIRECTORY = "dir";

    Settings {
        properties = Map.copyOf(properties);
        groups = List.copyOf(groups);
    }

    /** Reads the settings and checks the property names. */
    static Settings of(URI address, Configuration configuration) throws IOException {
        Map<String, String> properties = new TreeMap<>();
        for (String key : configuration.getPropsWithPrefix(PREFIX).keySet()) {
            if (!key.equals(DIRECTORY) && !ClientKeys.names().contains(key)) {
                throw refused(FsException.invalidArgument("unknown property " + PREFIX + key + ": did you mean "
                        + PREFIX + ClientKeys.nearest(key, DIRECTORY) + "?"));
            }
            String value = configuration.getTrimmed(PREFIX + key);
            if (value != null && !value.isEmpty()) {
                properties.put(key, value);
            }
        }
        UserGroupInformation acting = acting(properties.get("user"));
        String gateway =
                address.getHost() != null && address.getPort() > 0 ? address.getHost() + ":" + address.getPort() : null;
        return new Settings(properties, acting.getShortUserName(), groups(properties, acting), gateway);
    }

    private static UserGroupInformation acting(@Nullable String named) throws IOException {
        UserGroupInformation current = UserGroupInformation.getCurrentUser();
        return named == null || named.equals(current.getShortUserName())
                ? current
                : UserGroupInformation.createRemoteUser(named);
    }

    /** Returns the given groups, or those of Hadoop's group mapping, for the effective user. */
    private static List<String> groups(Map<String, String> properties, UserGroupInformation acting) {
        boolean told = properties.containsKey("groups") || properties.containsKey("token.file");
        return told ? List.of() : List.of(acting.getGroupNames());
    }

    /**
     * Returns the client's configuration.
     *
     * @throws IOException naming the property or file that is wrong
     */
    ClientConfig clientConfig() throws IOException {
        try {
            ClientConfigBuilder builder = start();
            for (Map.Entry<String, String> property : new TreeMap<>(properties).entrySet()) {
                if (!property.getKey().equals(DIRECTORY)) {
                    builder.set(property.getKey(), property.getValue());
                }
            }
            if (!properties.containsKey("groups")) {
                builder.groups(groups);
            }
            return builder.user(user).build();
        } catch (FsException e) {
            throw refused(e);
        }
    }

    /** Returns a failure with keys named as in Hadoop's configuration. */
    private static IOException refused(FsException why) {
        String message = String.valueOf(why.getMessage());
        if (why.code() == ErrorCode.INVALID_ARGUMENT && message.startsWith(ClientKeys.KEY)) {
            message = "property " + PREFIX + message.substring(ClientKeys.KEY.length());
        }
        return new IOException(why.code().label() + ": " + message, why);
    }

    private ClientConfigBuilder start() {
        String directory = properties.get(DIRECTORY);
        if (directory != null) {
            ClientConfigBuilder builder = ClientConfigBuilder.discover(Path.of(directory));
            return gatewayOfAddress == null ? builder : builder.gatewayAt(gatewayOfAddress);
        }
        if (properties.containsKey("gateway")) {
            return ClientConfig.builder();
        }
        return gatewayOfAddress != null
                ? ClientConfig.builder().gatewayAt(gatewayOfAddress)
                : ClientConfigBuilder.discover(null);
    }
}
