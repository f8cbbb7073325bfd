package io.lambdafs.benchmarks.micro;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file system under test. Immutable.
 *
 * @param name in results
 * @param uri of its Hadoop interface; its path is the directory in which the measurement makes one of its own
 * @param configuration Hadoop's properties for it
 * @param client file with the configuration of λFS's own client; null for any other file system
 * @param classPath of the measuring process
 * @param servers its processes, where this machine runs them
 * @param passing gone after the measurement: what was made in it need not be removed
 */
record Target(
        String name,
        URI uri,
        Map<String, String> configuration,
        @Nullable Path client,
        List<Path> classPath,
        Servers servers,
        boolean passing) {
    Target {
        configuration = Map.copyOf(configuration);
        classPath = List.copyOf(classPath);
    }

    /** A directory for the measurement alone. */
    String root(String name) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        return (path.endsWith("/") ? path : path + "/") + name;
    }

    boolean hasNative() {
        return client != null;
    }
}
