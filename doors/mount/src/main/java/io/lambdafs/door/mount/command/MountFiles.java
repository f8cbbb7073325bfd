package io.lambdafs.door.mount.command;

import io.lambdafs.cluster.settings.ClusterDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The files about a mount in its cluster's directory, named by the mounted directory. Immutable. */
final class MountFiles {
    private final Path run;
    private final Path logs;
    private final String name;

    MountFiles(ClusterDirectory cluster, Path directory) {
        this.run = cluster.run();
        this.logs = cluster.logs();
        this.name = "mount" + directory.toString().replace('/', '-');
    }

    /** Makes the folders, and removes what an earlier mount has left. */
    void prepare() throws IOException {
        Files.createDirectories(run);
        Files.createDirectories(logs);
        Files.deleteIfExists(pid());
    }

    Path configuration() {
        return run.resolve(name + ".json");
    }

    /** Returns the file with the id of the process, there once it serves. */
    Path pid() {
        return run.resolve(name + ".pid");
    }

    Path log() {
        return logs.resolve(name + ".log");
    }

    /** Returns the process that serves the mount; empty if there is none. */
    Optional<ProcessHandle> process() throws IOException {
        if (!Files.exists(pid())) {
            return Optional.empty();
        }
        return ProcessHandle.of(Long.parseLong(Files.readString(pid()).strip()));
    }
}
