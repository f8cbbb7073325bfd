package io.lambdafs.testing.simulation;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Generates the clients' operations on some 40 paths: a few files, and the most recently written ones, are read most; a
 * third of the operations are writes, and one in fifteen is a subtree operation. Permissions change constantly. Not
 * thread-safe.
 */
final class Workload {
    private static final String PADDING = ".".repeat(14_000);
    private static final List<FsPath> DIRECTORIES = new ArrayList<>();
    /** Further destinations of directory moves. */
    private static final List<FsPath> MOVED = new ArrayList<>();

    private static final List<FsPath> FILES = new ArrayList<>();
    private static final List<FsPath> HOT = new ArrayList<>();

    static {
        for (String top : List.of("/a", "/b", "/c")) {
            DIRECTORIES.add(FsPath.of(top));
            for (String sub : List.of("/x", "/y")) {
                DIRECTORIES.add(FsPath.of(top + sub));
                for (int i = 1; i <= 3; i++) {
                    FILES.add(FsPath.of(top + sub + "/" + i));
                }
            }
            FILES.add(FsPath.of(top + "/1"));
            MOVED.add(FsPath.of(top + "/z"));
        }
        for (String top : List.of("/h", "/k")) {
            for (int i = 1; i <= 4; i++) {
                HOT.add(FsPath.of(top + "/" + i));
            }
        }
    }

    private static final int MOST_OPEN = 6;
    /** Number of most recently written files, whose reads show whether caches were invalidated. */
    private static final int RECENT = 4;

    /** Directory modes: mostly passable for users, sometimes only for the owner, the group or others. */
    private static final int[] DIRECTORY_MODES = {
        0755, 0755, 0755, 0775, 0777, 01777, 01777, 0750, 0711, 0700, 0070, 0005
    };

    private static final int[] FILE_MODES = {0644, 0644, 0664, 0666, 0600, 0640, 0040, 0004};
    /** ACL changes, as many as there are modes: the granted entries, or with a minus {@link AclChange#REMOVE_ALL}. */
    private static final String[] DIRECTORY_ACLS = {
        "user:u1:rwx",
        "user:u2:r-x",
        "user:u1:---",
        "group:staff:rwx",
        "mask::r-x",
        "default:user:u1:rwx",
        "default:group:staff:r-x,default:other::---",
        "default:user::rwx",
        "-",
        "-",
        "-",
        "-"
    };

    private static final String[] FILE_ACLS = {
        "user:u1:r--", "user:u2:rw-", "user:u1:---", "mask::---", "mask::rw-", "group:staff:r--", "-", "-"
    };
    private static final String[] OWNERS = {"root", "u1", "u2"};
    private static final String[] GROUPS = {"users", "staff"};
    /** A group without members. */
    private static final String NOBODYS = "wheel";

    private final RandomGenerator random;
    private final boolean legacy;
    private final ArrayDeque<FsPath> recent = new ArrayDeque<>(HOT.subList(0, RECENT));
    /** Pending completions of files created empty. */
    private final ArrayDeque<Open> open = new ArrayDeque<>();

    private int contents;

    private record Open(FsPath path, OpenFile file) {}

    /** @param legacy whether a quarter of the renames are HDFS's legacy rename, into the named directory */
    Workload(RandomGenerator random, boolean legacy) {
        this.random = random;
        this.legacy = legacy;
    }

    /** Returns every path used by operations. */
    static List<FsPath> paths() {
        List<FsPath> all = new ArrayList<>(DIRECTORIES);
        all.addAll(MOVED);
        all.addAll(FILES);
        all.addAll(HOT);
        all.add(FsPath.of("/h"));
        all.add(FsPath.of("/k"));
        return all;
    }

    /** Returns the operations that set up the tree. */
    static List<Operation<?>> beginning() {
        List<Operation<?>> all = new ArrayList<>();
        for (FsPath file : HOT) {
            all.add(create(file, "first", true));
        }
        for (FsPath file : FILES) {
            all.add(create(file, "first", true));
        }
        for (int i = 0; i < DIRECTORIES.size(); i++) {
            // Some of each belong to the superuser and to each user.
            all.add(new AttributeOperation.SetOwner(
                    DIRECTORIES.get(i), OWNERS[i % OWNERS.length], GROUPS[i % GROUPS.length]));
        }
        all.add(new AttributeOperation.SetPermission(DIRECTORIES.get(0), 01777));
        return all;
    }

    private static Operation<?> create(FsPath path, String content, boolean overwrite) {
        return create(path, content, overwrite, 0644);
    }

    private static Operation<?> create(FsPath path, String content, boolean overwrite, int mode) {
        return new FileOperation.Create(
                path, mode, overwrite, true, 1, 1 << 20, content.getBytes(StandardCharsets.UTF_8), null);
    }

    /** Returns a content that is never repeated, and often long enough to make caches evict. */
    private String content() {
        String text = "c" + contents++;
        return random.nextBoolean() ? text : text + PADDING.substring(0, random.nextInt(PADDING.length()));
    }

    private FsPath any(List<FsPath> paths) {
        return paths.get(random.nextInt(paths.size()));
    }

    private FsPath file() {
        return written(any(random.nextInt(4) == 0 ? HOT : FILES));
    }

    private FsPath written(FsPath file) {
        recent.removeFirst();
        recent.addLast(file);
        return file;
    }

    private FsPath directory() {
        // Preferably small ones, because a change of a large one empties every cache.
        return random.nextInt(4) == 0 ? DIRECTORIES.get(3 * random.nextInt(3)) : any(DIRECTORIES);
    }

    /** Returns a read by any user. */
    Operation<?> read() {
        int kind = random.nextInt(40);
        if (kind < 33) {
            FsPath hot = random.nextInt(6) == 0 ? any(List.copyOf(recent)) : any(HOT);
            return kind < 20 ? new ReadOperation.Open(hot) : new ReadOperation.Stat(hot);
        }
        return switch (kind) {
            case 33, 34 ->
                new ReadOperation.ListPage(random.nextBoolean() ? FsPath.of("/h") : FsPath.of("/k"), "", 100);
            case 35 ->
                new ReadOperation.ListPage(directory(), random.nextInt(3) == 0 ? "1" : "", 1 + random.nextInt(4));
            case 36 -> new ReadOperation.ListPage(random.nextInt(4) == 0 ? FsPath.ROOT : directory(), "", 100);
            case 37 -> new ReadOperation.Stat(directory());
            case 38 -> new ReadOperation.GetAcl(any(FILES));
            default -> new ReadOperation.Open(any(FILES));
        };
    }

    /** Called when a file was created, possibly without content. */
    void made(FileOperation.Create create, Reply.Status status) {
        if (status.attributes().size() == 0) {
            open.addLast(new Open(create.path(), status.file()));
        }
    }

    /** Completes the oldest open file, wherever it is, or creates one, preferably where directories are moved. */
    private Operation<?> slowly() {
        if (open.size() < MOST_OPEN && (open.isEmpty() || random.nextBoolean())) {
            return create(any(FILES), "", true);
        }
        Open first = open.removeFirst();
        return new FileOperation.Complete(first.path(), first.file(), content().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a write; users other than the superuser never change owners, and are sometimes denied. */
    Operation<?> write(Principal who) {
        return switch (random.nextInt(who.equals(SimulatedClient.ROOT) ? 26 : 24)) {
            case 24, 25 -> slowly();
            case 0, 1, 2, 3, 4, 5, 6 -> create(file(), content(), random.nextInt(8) > 0, any(FILE_MODES) | 0600);
            case 7 -> new AttributeOperation.SetPermission(file(), any(FILE_MODES));
            case 8 -> acl(file(), FILE_ACLS);
            case 9 -> timesOrLength(file(), random.nextInt(1_000_000));
            case 10 ->
                random.nextBoolean()
                        ? chown(file(), who)
                        : new AttributeOperation.SetReplication(file(), replication());
            case 11, 12 -> new NamespaceOperation.Delete(file(), random.nextBoolean());
            case 13 -> new NamespaceOperation.Rename(any(FILES), any(FILES), mode());
            case 14 -> new NamespaceOperation.Mkdirs(random.nextInt(3) == 0 ? any(FILES) : directory(), 0755, true);
            case 15, 16, 17 -> create(written(any(FILES)), content(), true);
            default -> subtree(who);
        };
    }

    private static Operation<?> timesOrLength(FsPath path, int number) {
        return number % 3 == 0
                ? new BlockOperation.Truncate(path, number % 8)
                : new AttributeOperation.SetTimes(path, 1_000_000L + number, 1);
    }

    private Operation<?> acl(FsPath path, String[] changes) {
        String change = changes[random.nextInt(changes.length)];
        return change.equals("-")
                ? new AttributeOperation.ChangeAcl(path, AclChange.REMOVE_ALL, List.of())
                : new AttributeOperation.ChangeAcl(path, AclChange.MODIFY, AclEntry.parse(change));
    }

    private int replication() {
        return 1 + random.nextInt(3);
    }

    private int any(int[] modes) {
        return modes[random.nextInt(modes.length)];
    }

    private Operation<?> chown(FsPath path, Principal who) {
        if (who.equals(SimulatedClient.ROOT)) {
            String owner = OWNERS[random.nextInt(OWNERS.length)];
            return new AttributeOperation.SetOwner(path, owner, GROUPS[random.nextInt(GROUPS.length)]);
        }
        return random.nextInt(4) == 0
                ? new AttributeOperation.SetOwner(path, "root", null)
                : new AttributeOperation.SetOwner(
                        path,
                        null,
                        random.nextInt(4) == 0 ? NOBODYS : who.groups().get(0));
    }

    private RenameMode mode() {
        if (legacy && random.nextInt(4) == 0) {
            return RenameMode.INTO;
        }
        return random.nextBoolean() ? RenameMode.STRICT : RenameMode.OVERWRITE;
    }

    private Operation<?> subtree(Principal who) {
        return switch (random.nextInt(11)) {
            case 0 -> new AttributeOperation.SetPermission(directory(), any(DIRECTORY_MODES));
            case 1 -> acl(directory(), DIRECTORY_ACLS);
            case 2 ->
                random.nextInt(3) == 0
                        ? new AttributeOperation.SetTimes(directory(), 1_000_000L + random.nextInt(1_000_000), 1)
                        : chown(directory(), who);
            case 9 -> new NamespaceOperation.Mkdirs(directory(), 0755, true);
            case 3, 8 -> new NamespaceOperation.Delete(directory(), random.nextInt(3) > 0);
            case 4, 5 -> new NamespaceOperation.Rename(directory(), any(MOVED), mode());
            case 6 -> new NamespaceOperation.Rename(any(MOVED), directory(), mode());
            // Mostly to impossible destinations: below a missing directory, or below itself.
            case 7 -> new NamespaceOperation.Rename(directory(), any(MOVED).child("1"), mode());
            default -> new NamespaceOperation.Rename(directory(), directory(), mode());
        };
    }

    /** Returns whether an operation is a subtree operation, judging by its names. */
    static boolean isSubtree(Operation<?> operation) {
        boolean whole = operation instanceof AttributeOperation.SetPermission
                || operation instanceof AttributeOperation.ChangeAcl
                || operation instanceof AttributeOperation.SetOwner
                || operation instanceof AttributeOperation.SetTimes
                || operation instanceof NamespaceOperation.Delete
                || operation instanceof NamespaceOperation.Rename;
        return whole && (DIRECTORIES.contains(operation.path()) || MOVED.contains(operation.path()));
    }
}
