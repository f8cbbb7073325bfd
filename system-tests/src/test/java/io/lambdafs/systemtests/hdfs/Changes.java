package io.lambdafs.systemtests.hdfs;

import io.lambdafs.hadoop.LambdaFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Steps that change something. Used by one thread. */
final class Changes {
    static final int BUFFER = 4_096;
    static final long BLOCK = 1 << 20;
    private static final List<Options.Rename[]> RENAMES = List.of(
            new Options.Rename[] {Options.Rename.NONE},
            new Options.Rename[] {Options.Rename.OVERWRITE},
            new Options.Rename[] {});

    private static final List<String> XATTRS = List.of("user.a", "user.B", "trusted.a", "system.a", "nonsense");

    private final Choices choices;

    Changes(Choices choices) {
        this.choices = choices;
    }

    Step mkdirs(User user) {
        return mkdirs(user, choices.path(), choices.mode().toShort());
    }

    static Step mkdirs(User user, Path path, int bits) {
        FsPermission mode = new FsPermission((short) bits);
        return new Step(user, "mkdirs", path + ", " + octal(mode), (fs, open) -> String.valueOf(fs.mkdirs(path, mode)));
    }

    static String octal(FsPermission mode) {
        return "%04o".formatted(mode.toShort());
    }

    Step create(User user) {
        Path path = choices.path();
        FsPermission mode = choices.mode();
        short replication = (short) (1 + choices.random.nextInt(2));
        boolean overwrite = choices.random.nextBoolean();
        boolean parents = choices.random.nextBoolean();
        String content = choices.random.nextInt(3) == 0 ? "" : "x".repeat(1 + choices.random.nextInt(9));
        String arguments = "%s, %s%s, replication %d, \"%s\""
                .formatted(path, octal(mode), overwrite ? ", overwrite" : "", replication, content);
        EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE);
        if (overwrite) {
            flags.add(CreateFlag.OVERWRITE);
        }
        return parents
                ? new Step(
                        user,
                        "create",
                        arguments,
                        (fs, open) ->
                                written(fs.create(path, mode, overwrite, BUFFER, replication, BLOCK, null), content))
                : new Step(
                        user,
                        "createNonRecursive",
                        arguments,
                        (fs, open) -> written(
                                fs.createNonRecursive(path, mode, flags, BUFFER, replication, BLOCK, null), content));
    }

    static Step create(User user, Path path, int bits, boolean overwrite) {
        FsPermission mode = new FsPermission((short) bits);
        return new Step(
                user,
                "create",
                path + ", " + octal(mode) + (overwrite ? ", overwrite" : ""),
                (fs, open) -> written(fs.create(path, mode, overwrite, BUFFER, (short) 1, BLOCK, null), "x"));
    }

    static String written(FSDataOutputStream out, String content) throws IOException {
        try {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        } catch (IOException failure) {
            closeBroken(out);
            throw failure;
        }
        out.close();
        return "written";
    }

    /** Not with the write, for HDFS's stream throws the same exception again. */
    private static void closeBroken(FSDataOutputStream out) {
        try {
            out.close();
        } catch (IOException again) {
            // The write has said why.
        }
    }

    Step rename(User user) {
        Path source = choices.path();
        Path destination = choices.path();
        return new Step(
                user,
                "rename",
                source + ", " + destination,
                (fs, open) -> String.valueOf(fs.rename(source, destination)));
    }

    Step renameWithOptions(User user) {
        Path source = choices.path();
        Path destination = choices.path();
        return renameWithOptions(user, source, destination, choices.any(RENAMES));
    }

    static Step renameWithOptions(User user, Path source, Path destination, Options.Rename... options) {
        return new Step(
                user,
                "rename with options",
                source + ", " + destination + ", " + Arrays.toString(options),
                (fs, open) -> {
                    newerRename(fs, source, destination, options);
                    return "renamed";
                });
    }

    /** Public in the file systems that have it. */
    @SuppressWarnings("deprecation") // Deprecated where it is protected, for those who call it there.
    private static void newerRename(FileSystem fs, Path source, Path destination, Options.Rename[] options)
            throws IOException {
        if (fs instanceof LambdaFileSystem lambda) {
            lambda.rename(source, destination, options);
        } else {
            ((DistributedFileSystem) fs).rename(source, destination, options);
        }
    }

    Step delete(User user) {
        return delete(user, choices.path(), choices.random.nextBoolean());
    }

    static Step delete(User user, Path path) {
        return delete(user, path, false);
    }

    private static Step delete(User user, Path path, boolean recursive) {
        return new Step(
                user,
                "delete",
                path + (recursive ? ", recursive" : ""),
                (fs, open) -> String.valueOf(fs.delete(path, recursive)));
    }

    /** To nothing, to a few bytes, or to more than there can be. */
    Step truncate(User user) {
        Path path = choices.path();
        int choice = choices.random.nextInt(8);
        long length = choice < 2 ? 100 : choice < 5 ? 0 : choice;
        return truncate(user, path, length);
    }

    /** Answers at once, and ends when HDFS's datanodes have shortened the last block. */
    static Step truncate(User user, Path path, long length) {
        return new Step(user, "truncate", path + ", " + length, (fs, open) -> {
            boolean done = fs.truncate(path, length);
            if (!done) {
                open.settle(() -> ((LeaseRecoverable) fs).isFileClosed(path));
            }
            return String.valueOf(done);
        });
    }

    Step concat(User user) {
        Path target = choices.path();
        Path directory = target.isRoot() ? target : target.getParent();
        return concat(user, target, choices.random.nextInt(3) == 0 ? choices.path() : new Path(directory, "b"));
    }

    static Step concat(User user, Path target, Path source) {
        return new Step(user, "concat", target + ", " + source, (fs, open) -> {
            fs.concat(target, new Path[] {source});
            return "moved";
        });
    }

    Step setPermission(User user) {
        return setPermission(user, choices.path(), choices.mode().toShort());
    }

    static Step setPermission(User user, Path path, int bits) {
        FsPermission mode = new FsPermission((short) bits);
        return new Step(user, "setPermission", path + ", " + octal(mode), (fs, open) -> {
            fs.setPermission(path, mode);
            return "set";
        });
    }

    Step acl(User user) {
        Path path = choices.path();
        List<AclEntry> entries = choices.entries();
        return switch (choices.random.nextInt(8)) {
            case 0 -> aclStep(user, "removeAcl", path, entries, fs -> fs.removeAcl(path));
            case 1 -> aclStep(user, "removeDefaultAcl", path, entries, fs -> fs.removeDefaultAcl(path));
            case 2 -> aclStep(user, "removeAclEntries", path, entries, fs -> fs.removeAclEntries(path, entries));
            case 3, 4 -> aclStep(user, "setAcl", path, entries, fs -> fs.setAcl(path, entries));
            default -> aclStep(user, "modifyAclEntries", path, entries, fs -> fs.modifyAclEntries(path, entries));
        };
    }

    /** A change of an ACL. */
    private interface AclChange {
        void in(FileSystem fs) throws IOException;
    }

    private static Step aclStep(User user, String name, Path path, List<AclEntry> entries, AclChange change) {
        return new Step(user, name, path + ", " + entries, (fs, open) -> {
            change.in(fs);
            return "set";
        });
    }

    /** By one choice for all: its name, its value, and what it may meet. */
    Step xattr(User user) {
        Path path = choices.path();
        int choice = choices.random.nextInt(XATTRS.size() * 16);
        String name = XATTRS.get(choice / 16);
        if (choice % 4 == 0) {
            return new Step(user, "removeXAttr", path + ", " + name, (fs, open) -> {
                fs.removeXAttr(path, name);
                return "removed";
            });
        }
        byte[] value = "v".repeat(choice / 4 % 4).getBytes(StandardCharsets.UTF_8);
        EnumSet<XAttrSetFlag> flags = choice % 4 == 1
                ? EnumSet.of(XAttrSetFlag.CREATE)
                : choice % 4 == 2 ? EnumSet.of(XAttrSetFlag.REPLACE) : EnumSet.allOf(XAttrSetFlag.class);
        return new Step(user, "setXAttr", path + ", " + name + ", " + value.length + " bytes, " + flags, (fs, open) -> {
            fs.setXAttr(path, name, value, flags);
            return "set";
        });
    }

    Step setOwner(User user) {
        Path path = choices.path();
        String owner = choices.maybe(Choices.OWNERS);
        String group = choices.maybe(Choices.GROUPS);
        return new Step(user, "setOwner", path + ", " + owner + ", " + group, (fs, open) -> {
            fs.setOwner(path, owner, group);
            return "set";
        });
    }

    Step setTimes(User user) {
        Path path = choices.path();
        long mtime = choices.random.nextInt(-1, 5);
        long atime = choices.random.nextInt(-1, 5);
        return new Step(user, "setTimes", path + ", " + mtime + ", " + atime, (fs, open) -> {
            fs.setTimes(path, mtime, atime);
            return "set";
        });
    }

    Step setReplication(User user) {
        Path path = choices.path();
        short replication = (short) (1 + choices.random.nextInt(3));
        return new Step(
                user,
                "setReplication",
                path + ", " + replication,
                (fs, open) -> String.valueOf(fs.setReplication(path, replication)));
    }
}
