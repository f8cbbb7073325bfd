package io.lambdafs.model.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * Folders and files with the content of users' files: their owner alone may enter and read them, or the mode of a file would mean
 * nothing on this machine. Where files have no such permissions nothing is done. Stateless.
 */
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

    private PrivateFolder() {}

    /**
     * Makes a folder, or closes one that is there to others.
     *
     * @return why it stays open to others, for a log; empty if it does not
     */
    public static Optional<String> make(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Path above = folder.toAbsolutePath().getParent();
            if (above != null) {
                Files.createDirectories(above);
            }
            Files.createDirectories(folder, forFolder(folder));
        }
        Optional<String> mode = openTo(folder);
        if (mode.isEmpty()) {
            return mode;
        }
        try {
            Files.setPosixFilePermissions(folder, OWNERS);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("others may read what is in " + folder + ", which is " + mode.get()
                    + " and cannot be closed to them (" + e + "): have its owner run chmod 700 " + folder);
        }
    }

    /** Returns the permissions of a folder that others than its owner may enter or list; empty if they may not. */
    public static Optional<String> openTo(Path folder) throws IOException {
        if (!hasPermissions(folder)) {
            return Optional.empty();
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
        return OWNERS.containsAll(permissions)
                ? Optional.empty()
                : Optional.of(PosixFilePermissions.toString(permissions));
    }

    /** Returns what a new folder is to be made with. */
    public static FileAttribute<?>[] forFolder(Path folder) {
        return attributes(folder, "rwx------");
    }

    /** Returns what a new file is to be made with. */
    public static FileAttribute<?>[] forFile(Path file) {
        return attributes(file, "rw-------");
    }

    private static FileAttribute<?>[] attributes(Path file, String permissions) {
        return hasPermissions(file)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean hasPermissions(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
