package io.lambdafs.cli.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of this project's JVMs: the JDK and class path of the process that starts them. Stateless. */
public final class JavaCommand {
    /** Since this release JDKs warn of what Netty and others still do for lack of a replacement on 17. */
    private static final int WARNS_OF_UNSAFE = 23;

    private JavaCommand() {}

    static List<String> service(Service service, ClusterSettings settings) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(common(settings));
        command.addAll(service.javaOptions(settings));
        command.addAll(List.of("-cp", classPath(), service.mainClass()));
        return command;
    }

    /** What every JVM of a cluster is started with. */
    static List<String> common(ClusterSettings settings) {
        List<String> options = new ArrayList<>(List.of(
                "-Dfile.encoding=UTF-8",
                "--enable-native-access=ALL-UNNAMED",
                "-Xshare:auto",
                "-XX:-UsePerfData",
                "-Dlambdafs.log.level=" + settings.logLevel()));
        if (warnsOfUnsafe()) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }

    /** Whether this JDK must be told that memory is accessed by {@code sun.misc.Unsafe}. */
    public static boolean warnsOfUnsafe() {
        return Runtime.version().feature() >= WARNS_OF_UNSAFE;
    }

    /** The program {@code java} of this process's JDK. */
    public static String java() {
        Path own = Path.of(System.getProperty("java.home"), "bin", "java");
        return Files.isExecutable(own) ? own.toString() : "java";
    }

    /** This process's class path, absolute. */
    public static String classPath() {
        List<String> absolute = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
            absolute.add(Path.of(part).toAbsolutePath().toString());
        }
        return String.join(java.io.File.pathSeparator, absolute);
    }
}
