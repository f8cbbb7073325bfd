package io.lambdafs.benchmarks.micro;

import io.lambdafs.cluster.JavaCommand;
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
 * @param name in results
 * @param uri of its Hadoop interface; its path is the directory in which the measurement makes one of its own
 * @param configuration Hadoop's properties for it
 * @param client file with the configuration of λFS's own client; null for any other file system
 * @param classPath of the measuring process
 * @param servers its processes, where this machine runs them
 * @param passing gone after the measurement: what was made in it need not be removed
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

    /** A directory for the measurement alone. */
    public String root(String name) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        return (path.endsWith("/") ? path : path + "/") + name;
    }

    /** Whether λFS's own client reaches it. */
    public boolean hasNative() {
        return client != null;
    }

    /** The command of a measuring process of it, whose arguments are to be added. */
    public List<String> command(Class<?> main, int heapMb) {
        String path = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        List<String> command = JavaCommand.measuring(main, heapMb, path);
        if (name.equals(Targets.CEPHFS)) {
            command.addAll(1, CephCluster.options());
        }
        return command;
    }
}
