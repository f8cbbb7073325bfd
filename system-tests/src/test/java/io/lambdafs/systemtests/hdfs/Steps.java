package io.lambdafs.systemtests.hdfs;

import io.lambdafs.hadoop.LambdaFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/** The steps of a round, the same for the same seed. They meet in few paths, and their rights make that matter. */
final class Steps {
    private static final int BUFFER = 4_096;
    private static final int MAX_BELOW = 3;
    private static final long BLOCK = 1 << 20;

    private static final List<String> PLACES = List.of("/", "/tmp", "/u1", "/u2");
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> OWNERS = List.of("root", "u1", "u2");
    private static final List<String> GROUPS = List.of("supergroup", "g1", "g2", "users");
    private static final List<Integer> MODES = List.of(
            0777, 0755, 0755, 0750, 0711, 0700, 0770, 0644, 0664, 0640, 0600, 0040, 0004, 0000, 0555, 0333, 0111, 0070,
            01777, 01777, 01770);
    private static final List<FsAction> ACTIONS = List.of(FsAction.values());
    private static final List<Options.Rename[]> RENAMES = List.of(
            new Options.Rename[] {Options.Rename.NONE},
            new Options.Rename[] {Options.Rename.OVERWRITE},
            new Options.Rename[] {});

    private final SplittableRandom random;

    private Steps(long seed) {
        random = new SplittableRandom(seed);
    }

    static List<Step> of(long seed, int count) {
        Steps steps = new Steps(seed);
        List<Step> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(steps.next());
        }
        return all;
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private Path path() {
        StringBuilder text = new StringBuilder(any(PLACES));
        for (int below = random.nextInt(MAX_BELOW + 1); below > 0; below--) {
            text.append(text.charAt(text.length() - 1) == '/' ? "" : "/").append(any(NAMES));
        }
        return new Path(text.toString());
    }

    /** Seldom a name, to change nothing. */
    private @Nullable String maybe(List<String> names) {
        return random.nextInt(3) == 0 ? null : any(names);
    }

    private Step next() {
        // The superuser makes what others meet; it is refused little.
        User user = random.nextInt(5) == 0 ? User.ROOT : random.nextBoolean() ? User.U1 : User.U2;
        int kind = random.nextInt(100);
        if (kind < 62) {
            return kind < 14 ? mkdirs(user) : kind < 28 ? create(user) : change(user, kind);
        }
        return look(user, kind);
    }

    private Step change(User user, int kind) {
        if (kind < 34) {
            return rename(user);
        }
        if (kind < 40) {
            return renameWithOptions(user);
        }
        if (kind < 45) {
            return delete(user);
        }
        if (kind < 52) {
            return setPermission(user);
        }
        if (kind < 57) {
            return setOwner(user);
        }
        return kind < 60 ? setTimes(user) : setReplication(user);
    }

    private Step look(User user, int kind) {
        if (kind < 69) {
            return status(user);
        }
        if (kind < 76) {
            return listing(user);
        }
        if (kind < 82) {
            return open(user);
        }
        if (kind < 88) {
            return access(user);
        }
        return kind < 92 ? contentSummary(user) : kind < 96 ? exists(user) : kind < 98 ? append(user) : kinds(user);
    }

    private FsPermission mode() {
        return new FsPermission(any(MODES).shortValue());
    }

    private Step mkdirs(User user) {
        Path path = path();
        FsPermission mode = mode();
        return new Step(user, "mkdirs", path + ", " + octal(mode), fs -> String.valueOf(fs.mkdirs(path, mode)));
    }

    private static String octal(FsPermission mode) {
        return "%04o".formatted(mode.toShort());
    }

    private Step create(User user) {
        Path path = path();
        FsPermission mode = mode();
        short replication = (short) (1 + random.nextInt(2));
        boolean overwrite = random.nextBoolean();
        boolean parents = random.nextBoolean();
        String content = random.nextInt(3) == 0 ? "" : "x".repeat(1 + random.nextInt(9));
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
                        fs -> written(fs.create(path, mode, overwrite, BUFFER, replication, BLOCK, null), content))
                : new Step(
                        user,
                        "createNonRecursive",
                        arguments,
                        fs -> written(
                                fs.createNonRecursive(path, mode, flags, BUFFER, replication, BLOCK, null), content));
    }

    private static String written(FSDataOutputStream out, String content) throws IOException {
        try (out) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return "written";
    }

    private Step rename(User user) {
        Path source = path();
        Path destination = path();
        return new Step(
                user, "rename", source + ", " + destination, fs -> String.valueOf(fs.rename(source, destination)));
    }

    private Step renameWithOptions(User user) {
        Path source = path();
        Path destination = path();
        Options.Rename[] options = any(RENAMES);
        return new Step(
                user, "rename with options", source + ", " + destination + ", " + Arrays.toString(options), fs -> {
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

    private Step delete(User user) {
        Path path = path();
        boolean recursive = random.nextBoolean();
        return new Step(
                user,
                "delete",
                path + (recursive ? ", recursive" : ""),
                fs -> String.valueOf(fs.delete(path, recursive)));
    }

    private Step setPermission(User user) {
        Path path = path();
        FsPermission mode = mode();
        return new Step(user, "setPermission", path + ", " + octal(mode), fs -> {
            fs.setPermission(path, mode);
            return "set";
        });
    }

    private Step setOwner(User user) {
        Path path = path();
        String owner = maybe(OWNERS);
        String group = maybe(GROUPS);
        return new Step(user, "setOwner", path + ", " + owner + ", " + group, fs -> {
            fs.setOwner(path, owner, group);
            return "set";
        });
    }

    private Step setTimes(User user) {
        Path path = path();
        long mtime = random.nextInt(-1, 5);
        long atime = random.nextInt(-1, 5);
        return new Step(user, "setTimes", path + ", " + mtime + ", " + atime, fs -> {
            fs.setTimes(path, mtime, atime);
            return "set";
        });
    }

    private Step setReplication(User user) {
        Path path = path();
        short replication = (short) (1 + random.nextInt(3));
        return new Step(
                user,
                "setReplication",
                path + ", " + replication,
                fs -> String.valueOf(fs.setReplication(path, replication)));
    }

    private Step status(User user) {
        Path path = path();
        return new Step(user, "getFileStatus", path.toString(), fs -> Answers.of(fs.getFileStatus(path)));
    }

    private Step listing(User user) {
        Path path = path();
        return new Step(user, "listStatus", path.toString(), fs -> Answers.of(fs.listStatus(path)));
    }

    private Step open(User user) {
        Path path = path();
        return new Step(user, "open", path.toString(), fs -> Answers.content(fs, path));
    }

    private Step access(User user) {
        Path path = path();
        FsAction action = any(ACTIONS);
        return new Step(user, "access", path + ", " + action, fs -> {
            fs.access(path, action);
            return "allowed";
        });
    }

    private Step contentSummary(User user) {
        Path path = path();
        return new Step(user, "getContentSummary", path.toString(), fs -> Answers.of(fs.getContentSummary(path)));
    }

    private Step exists(User user) {
        Path path = path();
        return new Step(user, "exists", path.toString(), fs -> String.valueOf(fs.exists(path)));
    }

    /** Of nothing, so that a file system that does not append keeps the same tree. */
    private Step append(User user) {
        Path path = path();
        return new Step(user, "append", path.toString(), fs -> written(fs.append(path), ""));
    }

    @SuppressWarnings("deprecation") // Older programs ask these two.
    private Step kinds(User user) {
        Path path = path();
        return new Step(
                user,
                "isDirectory, isFile",
                path.toString(),
                (FileSystem fs) -> fs.isDirectory(path) + ", " + fs.isFile(path));
    }
}
