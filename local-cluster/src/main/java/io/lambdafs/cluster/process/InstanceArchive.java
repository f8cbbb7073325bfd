package io.lambdafs.cluster.process;

import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.functions.instance.InstanceJvm;
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

/** The commands that start instances, and the class archive next to the jars. Immutable. */
public final class InstanceArchive {
    private final ClusterSettings settings;
    private final Jdk jdk;
    private final InstanceJvm jvm;

    /** @throws FsException if the setting {@code instance.jdk} names no JDK */
    public static InstanceArchive of(ClusterSettings settings) {
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
        this.jvm = new InstanceJvm(jdk.version());
    }

    /** Returns an instance's command, with variables filled in by the gateway. */
    public List<String> instanceCommand() {
        return command(useOfArchive());
    }

    /**
     * Returns the command of an instance that records the classes it used, at its orderly end.
     *
     * @param recording the file, with variables filled in by the gateway
     */
    public List<String> recordingCommand(String recording) {
        return command(jvm.record(recording));
    }

    /** Returns the command that builds an archive from a recording, without such variables. */
    public List<String> creationCommand(Path recording, Path archive) {
        List<String> command = new ArrayList<>();
        command.add(jdk.java().toString());
        command.addAll(JavaCommand.common(settings, jdk));
        command.addAll(jvm.create(recording, archive));
        command.addAll(List.of("-cp", JavaCommand.functionClassPath()));
        return command;
    }

    /** Returns the command of the process from whose image instances are restored. */
    public List<String> templateCommand() {
        return command(useOfArchive(), InstanceJvm.templateClass());
    }

    private List<String> useOfArchive() {
        return settings.instance().archive() ? file().map(jvm::use).orElse(List.of()) : List.of();
    }

    private List<String> command(List<String> more) {
        return command(more, InstanceJvm.mainClass());
    }

    private List<String> command(List<String> more, String mainClass) {
        List<String> command = new ArrayList<>();
        command.add(settings.instance().jdk().isEmpty() ? "{java}" : jdk.java().toString());
        command.addAll(JavaCommand.common(settings, jdk));
        command.addAll(jvm.options("-Xmx{heapMb}m", settings.instance().hasPartOfProcessor()));
        if (settings.isLambda()) {
            command.addAll(JavaCommand.lambda(JavaCommand.lambdaClassPath()));
            return command;
        }
        command.addAll(more);
        command.addAll(List.of("-cp", JavaCommand.functionClassPath(), mainClass));
        return command;
    }

    /**
     * Returns the archive's file, existing or not; empty if this program does not run from a writable folder of jars.
     */
    public Optional<Path> file() {
        try {
            Path jar = JavaCommand.jarOf(InstanceArchive.class);
            Path folder = jar.getParent();
            if (folder == null || !Files.isRegularFile(jar) || !Files.isWritable(folder)) {
                return Optional.empty();
            }
            return Optional.of(folder.resolve(jvm.archiveName()));
        } catch (URISyntaxException | SecurityException e) {
            return Optional.empty();
        }
    }

    /** Returns the directory of the images from which instances are restored, in the user's cache. */
    public static Path images() {
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path place = cache.isEmpty() ? Path.of(System.getProperty("user.home", "/tmp"), ".cache") : Path.of(cache);
        return place.resolve("lambdafs").resolve("snapshots").toAbsolutePath();
    }

    /**
     * Returns whether an archive should be built: there is none, or a jar is newer. Impossible for classes in
     * directories, and for Lambda's runtime, which does not support training.
     */
    public boolean isWanted() {
        if (settings.isLambda() || !settings.instance().archive()) {
            return false;
        }
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
