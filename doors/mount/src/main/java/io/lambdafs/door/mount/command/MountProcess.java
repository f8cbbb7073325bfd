package io.lambdafs.door.mount.command;

import io.lambdafs.cluster.logging.LoggingProvider;
import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.door.mount.MountMain;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The process of a mount, and the shell that holds it: the shell opens {@code /dev/fuse}, mounts it, has the process
 * inherit it, and unmounts what a process that died has left. Stateless.
 */
final class MountProcess {
    private static final String HOLD = """
            exec 0<>/dev/fuse || exit 1
            mount -i -t fuse.lambdafs -o "$2" lambdafs "$1" || exit 1
            directory=$1
            shift 2
            "$@"
            status=$?
            if [ "$status" != 0 ]; then umount -l "$directory" 2>/dev/null; fi
            exit "$status"
            """;
    private static final String OPTIONS = "rw,nosuid,nodev,fd=0,rootmode=40000,user_id=0,group_id=0,allow_other";

    private MountProcess() {}

    /**
     * Starts it.
     *
     * @param log receives what it says; null to inherit this process's output, and its signals
     */
    static Process start(Path directory, Path configuration, @Nullable File log) throws IOException {
        String detached = log == null ? "" : "trap '' INT HUP\n";
        List<String> command = new ArrayList<>(
                List.of("/bin/sh", "-c", detached + HOLD, "lambdafs-mount", directory.toString(), OPTIONS));
        command.addAll(java());
        command.add(configuration.toString());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Process started = (log == null
                        ? builder.redirectOutput(ProcessBuilder.Redirect.INHERIT)
                        : builder.redirectOutput(log))
                .start();
        started.getOutputStream().close();
        return started;
    }

    private static List<String> java() {
        List<String> command = new ArrayList<>(List.of(
                JavaCommand.java(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Dfile.encoding=UTF-8",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dslf4j.provider=" + LoggingProvider.class.getName(),
                "-Dslf4j.internal.verbosity=WARN",
                "-Dio.netty.jfr.enabled=false",
                "-Dio.netty.leakDetection.level=disabled",
                "-Dio.netty.native.detectNativeLibraryDuplicates=false"));
        if (JavaCommand.warnsOfUnsafe()) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-cp", JavaCommand.classPath(), MountMain.class.getName()));
        return command;
    }
}
