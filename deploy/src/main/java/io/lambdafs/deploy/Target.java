package io.lambdafs.deploy;

import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The address of a platform and the credentials for it. It has no secrets: they are in files, or where the platform's
 * own tools keep them. Immutable.
 *
 * @param apiHost the platform's address, such as {@code https://openwhisk.example.com}; null if it follows from
 *     something else
 * @param authFile file with the credentials; null for none
 * @param namespace empty for the platform's own default
 * @param kubeconfig the kubeconfig; null for the default of Kubernetes' own tools
 * @param context context of the kubeconfig; empty for its current one
 * @param options further settings of the platform, by {@link PlatformProvider#options}
 */
public record Target(
        @Nullable URI apiHost,
        @Nullable Path authFile,
        String namespace,
        @Nullable Path kubeconfig,
        String context,
        Map<String, String> options) {
    /** The option for checks and dry runs that do not contact the platform. */
    public static final String OFFLINE = "offline";

    public Target {
        options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    /** Returns whether the platform must not be contacted. */
    public boolean isOffline() {
        return option(OFFLINE, "false").equals("true");
    }

    /** Returns an option's value. */
    public String option(String key, String otherwise) {
        return options.getOrDefault(key, otherwise);
    }

    /**
     * Returns an option's number.
     *
     * @throws DeployFailure if it is none, or has more than five digits
     */
    public int number(String key, int otherwise) {
        String text = option(key, Integer.toString(otherwise));
        if (!text.matches("[0-9]{1,5}")) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION, "the option " + key + " takes a whole number, not \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }
}
