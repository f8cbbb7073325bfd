package io.lambdafs.cluster;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import io.lambdafs.cluster.logging.Logging;
import io.lambdafs.cluster.logging.LoggingProvider;
import io.lambdafs.functions.openwhisk.ActionMain;
import io.lambdafs.lambda.NameNodeHandler;
import io.lambdafs.rpc.tracing.Tracing;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Command lines of this project's JVMs: the JDK and class path of the process that starts them. Stateless. */
public final class JavaCommand {
    private static final Logger LOG = LoggerFactory.getLogger(JavaCommand.class);

    private JavaCommand() {}

    static List<String> service(Service service, ClusterSettings settings) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(common(settings, Jdk.own()));
        command.addAll(service.javaOptions(settings));
        String classPath = settings.store().isNdb() && service.kind() == Service.Kind.STORE
                ? classPath() + File.pathSeparator + NdbParts.clientJar()
                : classPath();
        command.addAll(List.of("-cp", classPath, service.mainClass(settings)));
        return command;
    }

    /** What every JVM of a cluster is started with, where that JDK runs it. */
    static List<String> common(ClusterSettings settings, Jdk jdk) {
        List<String> options = new ArrayList<>(List.of(
                "-Dfile.encoding=UTF-8",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-UsePerfData",
                // A thread that runs out of memory dies, or leaves its work half done, and its callers wait for ever.
                "-XX:+ExitOnOutOfMemoryError",
                // Looked for on the whole class path otherwise; and nobody records Netty's events. Leaks are looked for
                // by the tests.
                "-Dslf4j.provider=" + LoggingProvider.class.getName(),
                "-Dslf4j.internal.verbosity=WARN",
                "-Dio.netty.jfr.enabled=false",
                "-Dio.netty.leakDetection.level=disabled",
                "-Dio.netty.native.detectNativeLibraryDuplicates=false",
                "-Dlambdafs.log.level=" + settings.logLevel()));
        if (jdk.warnsOfUnsafe()) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }

    /** A process that measures: this one's JDK, and arguments to be added. */
    public static List<String> measuring(Class<?> main, int heapMb, String classPath) {
        List<String> command = new ArrayList<>(List.of(
                java(),
                "-Xmx" + heapMb + "m",
                "-Dfile.encoding=UTF-8",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-UsePerfData"));
        if (warnsOfUnsafe()) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-cp", classPath, main.getName()));
        return command;
    }

    /** Whether this process's JDK must be told that memory is accessed by {@code sun.misc.Unsafe}. */
    public static boolean warnsOfUnsafe() {
        return Jdk.own().warnsOfUnsafe();
    }

    /** The program {@code java} of this process's JDK. */
    public static String java() {
        Path own = Jdk.own().java();
        return Files.isExecutable(own) ? own.toString() : "java";
    }

    /** This process's class path, absolute. */
    public static String classPath() {
        List<String> absolute = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            absolute.add(Path.of(part).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, absolute);
    }

    /**
     * The class path of an instance, absolute: those jars of this process's that the manifest of the function's jar names, and logging. All
     * of it where the function is in no jar. A JVM looks through all of it for what it does not find, and opens every jar for that.
     */
    static String functionClassPath() {
        return functionClassPath(ActionMain.class);
    }

    /** @param entry of the function's jar */
    private static String functionClassPath(Class<?> entry) {
        if (Tracing.isAsked()) {
            // What sends spans is no part of the function.
            return classPath();
        }
        try {
            Set<String> logging = new HashSet<>();
            for (Class<?> type : List.of(Logging.class, LoggerContext.class, Context.class)) {
                logging.add(artifact(jarOf(type)));
            }
            return functionClassPath(classPath(), jarOf(entry), logging);
        } catch (IOException | URISyntaxException | SecurityException e) {
            LOG.debug("The function is in no jar that says what it needs", e);
            return classPath();
        }
    }

    /** What follows the options of a JVM that is to be an instance with Lambda's runtime. */
    static List<String> lambda() {
        return List.of(
                // As Lambda's managed runtime has it: who speaks to whom before and after a snapshot.
                "-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac",
                "-cp",
                functionClassPath(NameNodeHandler.class),
                "com.amazonaws.services.lambda.runtime.api.client.AWSLambda",
                NameNodeHandler.class.getName());
    }

    /**
     * The parts of a class path that a jar needs; all where some of them are not in it.
     *
     * @param more names of jars without their versions
     */
    static String functionClassPath(String all, Path function, Set<String> more) throws IOException {
        Set<String> wanted = new HashSet<>(more);
        wanted.add(artifact(function));
        try (JarFile jar = new JarFile(function.toFile())) {
            Manifest manifest = jar.getManifest();
            String named =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (named == null) {
                return all;
            }
            for (String name : named.split(" ", -1)) {
                wanted.add(artifact(Path.of(name)));
            }
        }
        List<String> parts = Arrays.stream(all.split(File.pathSeparator, -1))
                .filter(part -> wanted.contains(artifact(Path.of(part))))
                // Looked through in this order: a native library is the one thing that is looked for in every start.
                .sorted(Comparator.comparing((String part) -> !part.contains("-native-")))
                .toList();
        Set<String> found = parts.stream().map(part -> artifact(Path.of(part))).collect(Collectors.toSet());
        return found.equals(wanted) ? String.join(File.pathSeparator, parts) : all;
    }

    /** A jar's name without its version, which is that of the whole program's dependencies and may not be that of the function's. */
    private static String artifact(Path jar) {
        return String.valueOf(jar.getFileName()).replaceFirst("-[0-9].*", "");
    }

    /** Where a class comes from: a jar, or a directory. */
    static Path jarOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
