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

/** Whether a file may hold a secret. Stateless. */
public final class PrivateFile {
    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");
    private static final String ROOT = "root";

    private PrivateFile() {}

    /**
     * Returns the permissions of a file that others than its owner may use; nothing where it is private. To a process of another user a
     * file of root's may be readable by its group: so Kubernetes mounts a secret into a pod that does not run as root.
     *
     * @throws UnsupportedOperationException where files have no such permissions
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
        // A container without a file of users knows root by its number alone.
        if ((owner.equals(ROOT) || owner.equals("0")) && !user.equals(ROOT)) {
            shared.remove(PosixFilePermission.GROUP_READ);
        }
        return !shared.isEmpty();
    }
}
