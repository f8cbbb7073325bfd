package io.lambdafs.cluster;

import io.lambdafs.functions.openwhisk.ActionMain;
import io.lambdafs.model.FsException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How instances of the function are started. An archive of their classes beside the jars, made from what a training run has recorded, takes
 * away most of what a cold start costs: an AOT cache where the JDK has it, else a class data archive. It is of use to the JDK that made it
 * and to these jars; a JVM that finds none, or one that does not fit, starts without. Immutable.
 */
final class InstanceArchive {
    /** Since this release a cache is made in two steps without a JVM that runs in a mode of its own. */
    private static final int HAS_AOT_CACHE = 25;
    /** The JVM is to start as ever, and to say nothing, whatever becomes of the archive. */
    private static final List<String> SILENTLY = List.of("-Xlog:disable", "-Xlog:all=error:stderr");
    /**
     * A cache fills its heap, and to compact that takes a tenth of a second. What is cached stays, so that a collection of many young
     * objects copies as many, and twice where they stay young for longer: the fewer the longer a collection took. Old objects are collected
     * in small portions. A collection is to be short even if one thread does it all, for others may have the processors. Few threads:
     * instances share their machine.
     */
    private static final List<String> COLLECTOR = List.of(
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=2",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:G1NewSizePercent=3",
            "-XX:G1MaxNewSizePercent=10",
            "-XX:MaxTenuringThreshold=1",
            "-XX:G1MixedGCCountTarget=16",
            "-XX:G1OldCSetRegionThresholdPercent=4",
            "-XX:ParallelGCThreads=2",
            "-XX:ConcGCThreads=1");

    private final ClusterSettings settings;
    private final Jdk jdk;
    private final boolean aot;

    /** @throws FsException the setting {@code instance.jdk} names no JDK */
    static InstanceArchive of(ClusterSettings settings) {
        String home = settings.instance().jdk();
        try {
            return new InstanceArchive(settings, home.isEmpty() ? Jdk.own() : Jdk.at(Path.of(home)));
        } catch (FsException e) {
            throw new FsException(e.code(), "the setting \"instance.jdk\": " + e.getMessage(), e);
        }
    }

    InstanceArchive(ClusterSettings settings, Jdk jdk) {
        this.settings = settings;
        this.jdk = jdk;
        this.aot = jdk.version().feature() >= HAS_AOT_CACHE;
    }

    /** The command of an instance, with variables for the gateway to fill in. */
    List<String> instanceCommand() {
        return command(file().map(this::use).orElse(List.of()));
    }

    /** The options by which a JVM starts from an archive, where there is one that fits. */
    List<String> use(Path archive) {
        List<String> options = new ArrayList<>();
        options.add((aot ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive);
        options.addAll(SILENTLY);
        return options;
    }

    /**
     * The command of an instance that records, at its orderly end, which classes it used.
     *
     * @param recording the file, with variables for the gateway to fill in
     */
    List<String> recordingCommand(String recording) {
        List<String> options = new ArrayList<>(
                aot
                        ? List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + recording)
                        : List.of("-XX:DumpLoadedClassList=" + recording));
        options.addAll(SILENTLY);
        return command(options);
    }

    /** The command that makes an archive of a recording, without such variables. */
    List<String> creationCommand(Path recording, Path archive) {
        List<String> command = new ArrayList<>();
        command.add(jdk.java().toString());
        command.addAll(JavaCommand.common(settings, jdk));
        command.addAll(
                aot
                        ? List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + recording, "-XX:AOTCache=" + archive)
                        : List.of(
                                "-Xshare:dump",
                                "-XX:SharedClassListFile=" + recording,
                                "-XX:SharedArchiveFile=" + archive));
        command.addAll(List.of("-cp", JavaCommand.functionClassPath()));
        return command;
    }

    private List<String> command(List<String> more) {
        List<String> command = new ArrayList<>();
        command.add(settings.instance().jdk().isEmpty() ? "{java}" : jdk.java().toString());
        command.addAll(JavaCommand.common(settings, jdk));
        command.addAll(List.of("-Xmx{heapMb}m", "-Xss512k"));
        command.addAll(COLLECTOR);
        if (settings.instance().hasPartOfProcessor()) {
            // The second compiler would take much of its share, and most do not live long enough for that to pay.
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.addAll(more);
        command.addAll(List.of("-cp", JavaCommand.functionClassPath(), ActionMain.class.getName()));
        return command;
    }

    /** Where the archive is, or would be; empty where this program does not run from a folder of jars that it may write to. */
    Optional<Path> file() {
        try {
            Path jar = JavaCommand.jarOf(InstanceArchive.class);
            Path folder = jar.getParent();
            if (folder == null || !Files.isRegularFile(jar) || !Files.isWritable(folder)) {
                return Optional.empty();
            }
            return Optional.of(folder.resolve(fileName()));
        } catch (URISyntaxException | SecurityException e) {
            return Optional.empty();
        }
    }

    /** With the whole version, for after an update of the JDK the archive of the one before fits no more. */
    String fileName() {
        return "instance-" + jdk.version() + (aot ? ".aot" : ".jsa");
    }

    /** Whether an archive should be made: there is none, or a jar is newer. None can be made of classes in directories. */
    boolean isWanted() {
        Optional<Path> archive = file();
        List<Path> parts = Arrays.stream(JavaCommand.functionClassPath().split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
        if (archive.isEmpty() || parts.stream().anyMatch(Files::isDirectory)) {
            return false;
        }
        try {
            if (!Files.exists(archive.get())) {
                return true;
            }
            FileTime made = Files.getLastModifiedTime(archive.get());
            for (Path part : parts) {
                if (Files.getLastModifiedTime(part).compareTo(made) > 0) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }
}
