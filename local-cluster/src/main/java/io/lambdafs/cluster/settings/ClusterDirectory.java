package io.lambdafs.cluster.settings;

import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a cluster's directory. Immutable.
 *
 * <pre>
 *   cluster.json   settings of the last start that succeeded
 *   starting.json  settings of an unfinished start or load, with which the next one continues
 *   secret, apikey, managementkey  0600
 *   tls/           the CA and certificates, if the cluster makes its own; keys 0600
 *   client.json    the address and settings for clients on this machine
 *   conf/          one file per service, written at every start
 *   run/           pids, ports, the lock; gateway/ for its instances
 *   logs/          one file per service; instances/ one per instance
 *   zookeeper/, store/  data
 * </pre>
 *
 * @param root absolute and normalised
 */
public record ClusterDirectory(Path root) {
    /** Environment variable with the directory. */
    public static final String VARIABLE = "LAMBDAFS_DIR";

    /** Free space below which services cannot continue for long. */
    private static final long LEAST_FREE_BYTES = 4 << 20;

    public ClusterDirectory {
        root = root.toAbsolutePath().normalize();
    }

    /**
     * Returns the selected directory.
     *
     * @param named by an option; null uses {@value #VARIABLE}, else {@code ~/.lambdafs/default}
     */
    public static ClusterDirectory find(@Nullable Path named, Map<String, String> environment) {
        if (named != null) {
            return new ClusterDirectory(named);
        }
        String variable = environment.get(VARIABLE);
        if (variable != null && !variable.isBlank()) {
            return new ClusterDirectory(Path.of(variable));
        }
        return new ClusterDirectory(Path.of(System.getProperty("user.home", "."), ".lambdafs", "default"));
    }

    public Path settings() {
        return root.resolve("cluster.json");
    }

    /**
     * Returns the file with the settings of a start or load that is under way, was killed, or was the first and failed.
     */
    public Path starting() {
        return root.resolve("starting.json");
    }

    public boolean isStarting() {
        return Files.exists(starting());
    }

    /** Returns the file with the settings that count now. */
    public Path settingsInEffect() {
        return isStarting() ? starting() : settings();
    }

    /** Returns whether a start or a load ever succeeded here, so that some settings are fixed. */
    public boolean isFormed() {
        return Files.exists(settings());
    }

    public Path secret() {
        return root.resolve("secret");
    }

    /** Returns the password file of the cluster's own database, if it has one. */
    public Path databasePassword() {
        return root.resolve("database-password");
    }

    public Path apiKey() {
        return root.resolve("apikey");
    }

    /** Returns the file with the gateway's management key, distinct from the calling key. */
    public Path managementKey() {
        return root.resolve("managementkey");
    }

    /** Returns the folder of generated TLS files. */
    public Path tls() {
        return root.resolve("tls");
    }

    public Path client() {
        return root.resolve("client.json");
    }

    public Path configuration(String name) {
        return root.resolve("conf").resolve(name + ".json");
    }

    public Path run() {
        return root.resolve("run");
    }

    public Path pid(String name) {
        return run().resolve(name + ".pid");
    }

    public Path port(String name) {
        return run().resolve(name + ".port");
    }

    public Path logs() {
        return root.resolve("logs");
    }

    public Path log(String name) {
        return logs().resolve(name + ".log");
    }

    public Path data(String name) {
        return root.resolve(name);
    }

    /** Returns whether its disk is nearly full; false if unknown. */
    public boolean isDiskFull() {
        try {
            return Files.getFileStore(root).getUsableSpace() < LEAST_FREE_BYTES;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether a start was ever begun here. */
    public boolean exists() {
        return isFormed() || isStarting();
    }

    /**
     * Creates missing folders, accessible only to their owner.
     *
     * @throws CommandFailure if they cannot be created or written
     */
    public void prepare() {
        for (Path folder : List.of(root, root.resolve("conf"), run(), logs(), logs().resolve("instances"))) {
            try {
                makePrivate(folder);
            } catch (FileAlreadyExistsException e) {
                throw unusable("its path " + folder + " is a file");
            } catch (IOException e) {
                CommandFailure why = CommandFailure.ofFile("cannot use the cluster directory " + root, e);
                throw new CommandFailure(why.exit(), why.code(), why.getMessage() + "; or name another one with --dir");
            }
        }
        if (!Files.isWritable(root) || !Files.isWritable(run())) {
            throw unusable("it is not writable for " + System.getProperty("user.name"));
        }
    }

    private static void makePrivate(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
    }

    private CommandFailure unusable(String why) {
        return new CommandFailure(
                ExitCode.FAILED,
                ErrorCode.PERMISSION_DENIED,
                "cannot use the cluster directory " + root + ": " + why + "; name another one with --dir");
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
