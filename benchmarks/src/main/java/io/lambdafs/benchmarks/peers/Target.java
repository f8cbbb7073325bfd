package io.lambdafs.benchmarks.peers;

import io.lambdafs.cluster.process.JavaCommand;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file system under test. Immutable.
 *
 * @param name its name in results
 * @param uri URI of its Hadoop interface; the measurement creates its directory below its path
 * @param configuration Hadoop's properties for it
 * @param client configuration file of λFS's own client; null for other file systems
 * @param classPath class path of the measuring process
 * @param servers its local processes
 * @param passing whether it is gone after the measurement, so nothing in it need be removed
 */
public record Target(
        String name,
        URI uri,
        Map<String, String> configuration,
        @Nullable Path client,
        List<Path> classPath,
        Servers servers,
        boolean passing) {
    public Target {
        configuration = Map.copyOf(configuration);
        classPath = List.copyOf(classPath);
    }

    /** Returns a directory for the measurement alone. */
    public String root(String name) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        return (path.endsWith("/") ? path : path + "/") + name;
    }

    /** Returns whether λFS's own client can reach it. */
    public boolean hasNative() {
        return client != null;
    }

    /** Returns the command of a measuring process, without its arguments. */
    public List<String> command(Class<?> main, int heapMb) {
        String path = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return JavaCommand.measuring(main, heapMb, path);
    }
}
