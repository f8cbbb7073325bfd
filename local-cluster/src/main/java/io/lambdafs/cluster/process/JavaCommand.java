package io.lambdafs.cluster.process;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import io.lambdafs.cluster.logging.Logging;
import io.lambdafs.cluster.logging.LoggingProvider;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.functions.instance.ActionMain;
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

/** Builds command lines for this project's JVMs, with the JDK and class path of the current process. Stateless. */
public final class JavaCommand {
    private static final Logger LOG = LoggerFactory.getLogger(JavaCommand.class);

    private JavaCommand() {}

    public static List<String> service(Service service, ClusterSettings settings) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(common(settings, Jdk.own()));
        command.addAll(service.javaOptions(settings));
        String classPath = settings.store().isNdb() && service.kind() == Service.Kind.STORE
                ? classPath() + File.pathSeparator + NdbInstallation.clientJar()
                : classPath();
        command.addAll(List.of("-cp", classPath, service.mainClass(settings)));
        return command;
    }

    /** Returns the options of every JVM of a cluster on a given JDK. */
    static List<String> common(ClusterSettings settings, Jdk jdk) {
        List<String> options = new ArrayList<>(List.of(
                "-Dfile.encoding=UTF-8",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-UsePerfData",
                // A thread that runs out of memory dies, or leaves its work half done, and its callers wait forever.
                "-XX:+ExitOnOutOfMemoryError",
                // Otherwise searched for on the whole class path; nothing records Netty's events; tests detect leaks.
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

    /** Returns the command of a measuring process on this JDK, to which arguments are added. */
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

    /** Returns whether this process's JDK needs the option that permits {@code sun.misc.Unsafe} memory access. */
    public static boolean warnsOfUnsafe() {
        return Jdk.own().warnsOfUnsafe();
    }

    /** Returns the {@code java} program of this process's JDK. */
    public static String java() {
        Path own = Jdk.own().java();
        return Files.isExecutable(own) ? own.toString() : "java";
    }

    /** Returns this process's class path with absolute entries. */
    public static String classPath() {
        List<String> absolute = new ArrayList<>();
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            absolute.add(Path.of(part).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, absolute);
    }

    /**
     * Returns an instance's class path with absolute entries: this process's jars named in the manifest of the
     * function's jar, and logging; everything if the function is not in a jar. Kept short because a JVM opens every jar
     * when a class is not found.
     */
    static String functionClassPath() {
        return functionClassPath(ActionMain.class);
    }

    /** @param entry a class in the function's jar */
    private static String functionClassPath(Class<?> entry) {
        if (Tracing.isAsked()) {
            // The span exporter is not part of the function.
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

    /** Returns the class path of a function on Lambda, including its runtime's client. */
    static String lambdaClassPath() {
        return functionClassPath(NameNodeHandler.class);
    }

    /** Returns the arguments after the JVM options of an instance on Lambda's runtime. */
    static List<String> lambda(String classPath) {
        return List.of(
                // As in Lambda's managed runtime.
                "-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac",
                "-cp",
                classPath,
                "com.amazonaws.services.lambda.runtime.api.client.AWSLambda",
                NameNodeHandler.class.getName());
    }

    /**
     * Returns the class path entries needed by a jar; all entries if some are missing.
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
                // Order matters: every start searches for a native library.
                .sorted(Comparator.comparing((String part) -> !part.contains("-native-")))
                .toList();
        Set<String> found = parts.stream().map(part -> artifact(Path.of(part))).collect(Collectors.toSet());
        return found.equals(wanted) ? String.join(File.pathSeparator, parts) : all;
    }

    /** Returns a jar's name without its version, because the program's versions may differ from the function's. */
    private static String artifact(Path jar) {
        return String.valueOf(jar.getFileName()).replaceFirst("-[0-9].*", "");
    }

    /** Returns the jar or directory containing a class. */
    static Path jarOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
