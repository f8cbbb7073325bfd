package io.lambdafs.functions.namenode;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A subtree operation, and how its effect is seen. The tree before: {@code /a/x} with {@code f0}, {@code sub/f1}, {@code sub/f2},
 * {@code sub/deep/f3} to {@code f5}, and the empty {@code /b}, all of them alice's.
 *
 * @param undo what makes {@code /a/x} be again as it was, or so that a second effect of the operation would show there
 * @param kept whether the tree exists afterwards
 * @param rows INodes besides those of the tree: the root, /a and /b, and what the case adds
 */
record SubtreeCase(
        String name,
        Principal who,
        Operation<?> operation,
        Operation<?> undo,
        List<Look> looks,
        boolean kept,
        int rows) {
    static final Principal ALICE = new Principal("alice", List.of("users"));
    static final Principal BOB = new Principal("bob", List.of("users"));
    static final Principal ROOT = SimulatedCluster.ROOT;

    private static final FsPath X = FsPath.of("/a/x");
    private static final FsPath Y = FsPath.of("/b/y");

    /** A read whose answer shows whether the operation has happened. */
    record Look(Principal who, Operation<?> read, Predicate<Reply> before, Predicate<Reply> after) {}

    @Override
    public String toString() {
        return name;
    }

    static List<SubtreeCase> all() {
        Operation<?> again = new NamespaceOperation.Mkdirs(X, 0755, false);
        return List.of(
                new SubtreeCase("mv", ALICE, rename(RenameMode.STRICT), again, moved(true), true, 3),
                new SubtreeCase(
                        "mv over an empty directory",
                        ALICE,
                        rename(RenameMode.OVERWRITE),
                        again,
                        moved(false),
                        true,
                        3),
                new SubtreeCase("rm -r", ROOT, new NamespaceOperation.Delete(X, true), again, removed(), false, 3),
                new SubtreeCase(
                        "rm -r by its owner",
                        ALICE,
                        new NamespaceOperation.Delete(X, true),
                        again,
                        removed(),
                        false,
                        3),
                new SubtreeCase(
                        "chmod",
                        ALICE,
                        new AttributeOperation.SetPermission(X, 0700),
                        new AttributeOperation.SetPermission(X, 0755),
                        List.of(
                                attribute(
                                        0755,
                                        0700,
                                        reply -> status(reply)
                                                ? attributes(reply).mode()
                                                : -1),
                                new Look(BOB, stat("/a/x/sub/deep/f3"), SubtreeCase::status, denied()),
                                new Look(BOB, stat("/a/x/nothing"), failed(ErrorCode.NOT_FOUND), denied())),
                        true,
                        3),
                new SubtreeCase(
                        "chown",
                        ROOT,
                        new AttributeOperation.SetOwner(X, "bob", null),
                        new AttributeOperation.SetOwner(X, "alice", null),
                        List.of(attribute(
                                "alice",
                                "bob",
                                reply -> status(reply) ? attributes(reply).owner() : "")),
                        true,
                        3));
    }

    private static Operation<?> rename(RenameMode mode) {
        return new NamespaceOperation.Rename(X, Y, mode);
    }

    private static List<Look> moved(boolean newName) {
        List<Look> looks = new ArrayList<>(List.of(
                exists("/b/y/sub/deep/f3", false),
                exists("/a/x/sub/deep/f3", true),
                exists("/a/x", true),
                exists("/b/y/f0", false),
                listed("/a", "x", true),
                new Look(
                        ALICE,
                        list("/a/x/sub"),
                        reply -> reply instanceof Reply.Page page
                                && page.entries().size() >= 3,
                        failed(ErrorCode.NOT_FOUND))));
        if (newName) {
            looks.add(exists("/b/y", false));
            looks.add(listed("/b", "y", false));
        }
        return looks;
    }

    private static List<Look> removed() {
        return List.of(
                exists("/a/x/sub/deep/f3", true),
                exists("/a/x", true),
                exists("/a/x/f0", true),
                listed("/a", "x", true),
                exists("/a/x/sub", true));
    }

    private static <T> Look attribute(T before, T after, java.util.function.Function<Reply, T> of) {
        return new Look(
                ALICE, stat("/a/x"), reply -> before.equals(of.apply(reply)), reply -> after.equals(of.apply(reply)));
    }

    private static Look exists(String path, boolean before) {
        Predicate<Reply> there = SubtreeCase::status;
        Predicate<Reply> gone = failed(ErrorCode.NOT_FOUND);
        return new Look(ALICE, stat(path), before ? there : gone, before ? gone : there);
    }

    private static Look listed(String directory, String name, boolean before) {
        Predicate<Reply> there = reply -> reply instanceof Reply.Page page
                && page.entries().stream().anyMatch(entry -> entry.name().equals(name));
        Predicate<Reply> gone = reply -> reply instanceof Reply.Page page
                && page.entries().stream().noneMatch(entry -> entry.name().equals(name));
        return new Look(ALICE, list(directory), before ? there : gone, before ? gone : there);
    }

    static ReadOperation.Stat stat(String path) {
        return new ReadOperation.Stat(FsPath.of(path));
    }

    private static ReadOperation.ListPage list(String path) {
        return new ReadOperation.ListPage(FsPath.of(path), "", 100);
    }

    static boolean status(Reply reply) {
        return reply instanceof Reply.Status;
    }

    private static io.lambdafs.model.inode.Attributes attributes(Reply reply) {
        return ((Reply.Status) reply).attributes();
    }

    private static Predicate<Reply> denied() {
        return failed(ErrorCode.PERMISSION_DENIED);
    }

    static Predicate<Reply> failed(ErrorCode code) {
        return reply -> reply instanceof Reply.Failure failure && failure.code() == code;
    }
}
