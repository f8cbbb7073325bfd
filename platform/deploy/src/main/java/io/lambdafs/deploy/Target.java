package io.lambdafs.deploy;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a platform is, and what it is shown. No secret is in it: they are in files, or where the platform's own tools keep them. Immutable.
 *
 * @param apiHost the platform's address, such as {@code https://openwhisk.example.com}; null where it follows from something else
 * @param authFile the file with what the platform is shown; null for none
 * @param namespace empty for the platform's own default
 * @param kubeconfig null for the one that Kubernetes' own tools take
 * @param context of the kubeconfig; empty for its current one
 * @param options what else a platform must be told, by {@link PlatformProvider#options}
 */
public record Target(
        @Nullable URI apiHost,
        @Nullable Path authFile,
        String namespace,
        @Nullable Path kubeconfig,
        String context,
        Map<String, String> options) {
    public Target {
        options = Map.copyOf(options);
    }

    /** An option's value. */
    public String option(String key, String otherwise) {
        return options.getOrDefault(key, otherwise);
    }
}
