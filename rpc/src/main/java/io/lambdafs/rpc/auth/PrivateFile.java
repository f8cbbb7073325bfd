package io.lambdafs.rpc.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Checks whether a file is private enough to hold a secret. Stateless. */
public final class PrivateFile {
    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");
    private static final String ROOT = "root";

    private PrivateFile() {}

    /**
     * Returns the permissions of a file that is accessible to others than its owner; empty if it is private. For
     * non-root processes a file of root's may be group-readable, as Kubernetes mounts secrets into pods that do not run
     * as root.
     *
     * @throws UnsupportedOperationException if files have no such permissions
     */
    public static Optional<String> openTo(Path file) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
        return isOpen(attributes.permissions(), attributes.owner().getName(), System.getProperty("user.name", ROOT))
                ? Optional.of(PosixFilePermissions.toString(attributes.permissions()))
                : Optional.empty();
    }

    static boolean isOpen(Set<PosixFilePermission> permissions, String owner, String user) {
        Set<PosixFilePermission> shared = EnumSet.noneOf(PosixFilePermission.class);
        shared.addAll(permissions);
        shared.removeAll(OWNERS);
        // A container without a user database knows root only by number.
        if ((owner.equals(ROOT) || owner.equals("0")) && !user.equals(ROOT)) {
            shared.remove(PosixFilePermission.GROUP_READ);
        }
        return !shared.isEmpty();
    }
}
