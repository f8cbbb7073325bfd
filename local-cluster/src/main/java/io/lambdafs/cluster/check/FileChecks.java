package io.lambdafs.cluster.check;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.rpc.auth.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Doctor's checks of the permissions of the cluster's directory and secret files. Stateless. */
final class FileChecks {
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    private FileChecks() {}

    static List<Finding> look(ClusterDirectory directory, ClusterSettings settings) {
        List<Finding> findings = new ArrayList<>();
        String user = System.getProperty("user.name", "?");
        if (!Files.isWritable(directory.root())) {
            findings.add(notWritable(directory.root(), isReadOnly(directory.root()), user));
        }
        findings.addAll(open(directory));
        List<Path> secrets =
                new ArrayList<>(List.of(directory.apiKey(), directory.managementKey(), directory.databasePassword()));
        if (settings.insecure()) {
            findings.add(Finding.fault(
                    "identity",
                    "the cluster is insecure",
                    "whoever reaches it may claim to be anybody",
                    "use a cluster that was made without --insecure for data that matter"));
        } else {
            secrets.add(directory.secret());
            if (directory.isFormed() && !Files.exists(directory.secret())) {
                findings.add(Finding.fault(
                        "files",
                        "there is no " + directory.secret(),
                        "services know each other by it, and nothing starts without",
                        "put it back from a backup"));
            }
        }
        if (!settings.store().passwordFile().isEmpty()) {
            Path password = Path.of(settings.store().passwordFile());
            secrets.add(password);
            if (!Files.isReadable(password)) {
                findings.add(Finding.fault(
                        "files",
                        "the password file " + password + " cannot be read",
                        "the store cannot log in to its database",
                        "put it there, readable for " + user + " alone"));
            }
        }
        secrets.addAll(keys(directory.tls()));
        boolean isPrivate = true;
        for (Path secret : secrets) {
            isPrivate &= check(secret, findings);
        }
        if (isPrivate) {
            findings.add(Finding.ok("files", "secrets and keys are readable for their owner alone"));
        }
        return findings;
    }

    /** Checks the cluster's directory: every service keeps its files below it, unless a setting names another place. */
    private static List<Finding> open(ClusterDirectory directory) {
        try {
            return PrivateFolder.openTo(directory.root())
                    .map(mode -> Finding.fault(
                            "files",
                            directory + " is " + mode,
                            "whoever is on this machine reads the metadata and the content of small files",
                            "chmod 700 " + directory))
                    .stream()
                    .toList();
        } catch (IOException e) {
            return List.of(Finding.unknown("files", directory + " cannot be looked at: " + e.getMessage()));
        }
    }

    private static boolean isReadOnly(Path folder) {
        try {
            return Files.getFileStore(folder).isReadOnly();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Advises on a directory that cannot be written.
     *
     * @param readOnly whether its whole file system is read-only
     */
    static Finding notWritable(Path directory, boolean readOnly, String user) {
        return Finding.fault(
                "files",
                directory + (readOnly ? " is on a read-only file system" : " is not writable for " + user),
                "nothing can be started or stopped",
                readOnly
                        ? "mount it writable; if the kernel made it read-only, see its log for the disk's errors"
                        : "run the command as the user who started the cluster, or: chown -R " + user + " "
                                + directory);
    }

    /** Checks a client's directory of a cluster that runs elsewhere. */
    static List<Finding> lookAtClient(ClusterDirectory directory) {
        List<Finding> findings = new ArrayList<>();
        for (Path secret : List.of(directory.secret(), directory.apiKey(), directory.managementKey())) {
            try {
                PrivateFile.openTo(secret)
                        .ifPresent(mode -> findings.add(Finding.fault(
                                "files",
                                secret + " is " + mode,
                                "whoever reads it can act as any user",
                                "chmod 600 " + secret)));
            } catch (NoSuchFileException none) {
                // Clients have no key that is of no use to them.
            } catch (IOException e) {
                findings.add(Finding.unknown("files", secret + " cannot be looked at: " + e.getMessage()));
            }
        }
        return findings.isEmpty()
                ? List.of(Finding.ok("files", "no secret or key in " + directory + " is open to others"))
                : findings;
    }

    private static List<Path> keys(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(each -> each.toString().endsWith("key.pem"))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns whether a file, if it exists, is private to its owner. */
    private static boolean check(Path file, List<Finding> findings) {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return true;
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (permissions.stream().noneMatch(OTHERS::contains)) {
                return true;
            }
            findings.add(Finding.fault(
                    "files",
                    file + " is " + PosixFilePermissions.toString(permissions),
                    "whoever reads it can act as any user, or as the service that it belongs to",
                    "chmod 600 " + file + ", and make a new one if others were on the machine"));
        } catch (IOException | UnsupportedOperationException e) {
            findings.add(Finding.unknown("files", file + " cannot be looked at: " + e.getMessage()));
        }
        return false;
    }
}
