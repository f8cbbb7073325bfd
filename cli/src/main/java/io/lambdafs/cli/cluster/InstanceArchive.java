package io.lambdafs.cli.cluster;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How instances of the function are started. A class data archive beside the jars, made by a training run at the first start, halves what
 * a cold start costs; the JVM itself refuses an archive that does not fit its jars. Stateless.
 */
final class InstanceArchive {
    private static final String MAIN_CLASS = "io.lambdafs.functions.openwhisk.ActionMain";

    private InstanceArchive() {}

    /** The command of an instance, with the gateway's placeholders. */
    static List<String> instanceCommand(ClusterSettings settings) {
        List<String> options = new ArrayList<>();
        file().ifPresent(archive -> {
            // Without the archive, or with one that does not fit, the JVM is to start as ever and say nothing.
            options.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:disable", "-Xlog:all=error:stderr"));
        });
        return command(settings, options);
    }

    /** The command of an instance whose orderly end writes an archive. */
    static List<String> trainingCommand(ClusterSettings settings, Path draft) {
        return command(
                settings, List.of("-XX:ArchiveClassesAtExit=" + draft, "-Xlog:disable", "-Xlog:all=error:stderr"));
    }

    private static List<String> command(ClusterSettings settings, List<String> more) {
        List<String> command = new ArrayList<>();
        command.add("{java}");
        command.addAll(JavaCommand.common(settings));
        // Most instances do not live long enough for the second compiler to pay.
        command.addAll(
                List.of("-Xmx{heapMb}m", "-XX:NewRatio=1", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(more);
        command.addAll(List.of("-cp", "{classPath}", MAIN_CLASS));
        return command;
    }

    /** Where the archive is, or would be; empty where this program does not run from a folder of jars that it may write to. */
    static Optional<Path> file() {
        try {
            Path jar = Path.of(InstanceArchive.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path folder = jar.getParent();
            if (folder == null || !Files.isRegularFile(jar) || !Files.isWritable(folder)) {
                return Optional.empty();
            }
            return Optional.of(folder.resolve("instance-" + Runtime.version().feature() + ".jsa"));
        } catch (URISyntaxException | SecurityException e) {
            return Optional.empty();
        }
    }

    /** Whether an archive should be made: there is none, or a jar is newer. */
    static boolean isWanted() {
        Optional<Path> archive = file();
        if (archive.isEmpty()) {
            return false;
        }
        try {
            if (!Files.exists(archive.get())) {
                return true;
            }
            FileTime made = Files.getLastModifiedTime(archive.get());
            for (String part : JavaCommand.classPath().split(File.pathSeparator, -1)) {
                if (Files.getLastModifiedTime(Path.of(part)).compareTo(made) > 0) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }
}
