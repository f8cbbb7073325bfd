package io.lambdafs.hammer.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.replay.QuickTime;
import io.lambdafs.hammer.replay.Replay;
import io.lambdafs.hammer.replay.ReplaySettings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Wrong answers of every sort must be counted, each one, and described. */
final class PlantedFaultTest {
    private static final long SEED = 7;
    /** One in so many answers is spoiled. */
    private static final int EVERY = 5;

    @TempDir
    private Path directory;

    /** A fault turns an answer into a wrong one, or leaves one that it does not apply to. */
    private interface Spoiler {
        /** Null where it does not apply. */
        @Nullable
        Object spoil(Operation<?> operation, @Nullable Reply reply, @Nullable FsException refusal);
    }

    @SuppressWarnings("ImmutableEnumChecker")
    private enum Fault {
        WRONG_SIZE(
                "expected size",
                (operation, reply, refusal) -> reply instanceof Reply.Status status
                                && operation instanceof ReadOperation.Stat
                                && isFile(status)
                        ? new Reply.Status(resized(status.attributes(), 1))
                        : null),
        WRONG_KIND(
                "expected kind",
                (operation, reply, refusal) -> reply instanceof Reply.Status status
                                && operation instanceof ReadOperation.Stat
                                && isFile(status)
                        ? new Reply.Status(asDirectory(status.attributes()))
                        : null),
        WRONG_CONTENT(
                "expected content with checksum",
                (operation, reply, refusal) -> reply instanceof Reply.Opened opened && length(opened) > 0
                        ? new Reply.Opened(opened.attributes(), Contents.generate(99, length(opened)))
                        : null),
        SHORT_CONTENT(
                "expected content bytes",
                (operation, reply, refusal) -> reply instanceof Reply.Opened opened && length(opened) > 0
                        ? new Reply.Opened(opened.attributes(), new byte[length(opened) - 1])
                        : null),
        PHANTOM_NOT_FOUND(
                "NOT_FOUND",
                (operation, reply, refusal) ->
                        reply instanceof Reply.Opened ? new FsException(ErrorCode.NOT_FOUND, "phantom") : null),
        MISSING_ENTRY(
                "is missing",
                (operation, reply, refusal) ->
                        reply instanceof Reply.Page page && !page.entries().isEmpty()
                                ? new Reply.Page(
                                        page.entries().subList(1, page.entries().size()), page.more())
                                : null),
        EXTRA_ENTRY(
                "expected no entry",
                (operation, reply, refusal) -> reply instanceof Reply.Page page
                        ? new Reply.Page(with(page, "zzz-phantom"), page.more())
                        : null),
        ENTRY_TWICE(
                "expected names in order",
                (operation, reply, refusal) -> reply instanceof Reply.Page page
                                && !page.entries().isEmpty()
                        ? new Reply.Page(with(page, page.entries().get(0).name()), page.more())
                        : null),
        WRONG_CHILD_COUNT(
                "number of children",
                (operation, reply, refusal) -> reply instanceof Reply.Status status
                                && operation instanceof ReadOperation.Stat
                                && !isFile(status)
                        ? new Reply.Status(withChildren(status.attributes(), 100_000))
                        : null),
        IMPOSSIBLE_STAT(
                "expected NOT_FOUND, got",
                (operation, reply, refusal) ->
                        refusal != null && operation instanceof ReadOperation.Stat ? someFile(operation.path()) : null),
        IMPOSSIBLE_CREATE(
                "expected ALREADY_EXISTS, got",
                (operation, reply, refusal) -> refusal != null && operation instanceof FileOperation.Create
                        ? someFile(operation.path())
                        : null),
        DELETE_OF_NOTHING(
                "expected to take effect",
                (operation, reply, refusal) ->
                        reply instanceof Reply.Done && operation instanceof NamespaceOperation.Delete
                                ? Reply.Done.NO
                                : null),
        REPLY_OF_OTHER_TYPE(
                "expected a Page", (operation, reply, refusal) -> reply instanceof Reply.Page ? Reply.Done.YES : null);

        private final String described;
        private final Spoiler spoiler;

        Fault(String described, Spoiler spoiler) {
            this.described = described;
            this.spoiler = spoiler;
        }
    }

    private static boolean isFile(Reply.Status status) {
        return !status.attributes().isDirectory();
    }

    private static int length(Reply.Opened opened) {
        byte[] content = opened.content();
        return content == null ? 0 : content.length;
    }

    private static List<Attributes> with(Reply.Page page, String name) {
        List<Attributes> entries = new ArrayList<>(page.entries());
        entries.add(someFile(FsPath.ROOT.child(name)).attributes());
        return entries;
    }

    private static Reply.Status someFile(FsPath path) {
        return new Reply.Status(new Attributes(
                path.name(),
                5,
                new INode.Traits(INode.Kind.FILE, "u", "g", 0644, 1, 1, INode.Content.INLINE),
                1,
                1,
                1,
                0));
    }

    private static Attributes resized(Attributes a, long by) {
        return copy(a, a.kind(), a.size() + by, a.children());
    }

    private static Attributes asDirectory(Attributes a) {
        return copy(a, INode.Kind.DIRECTORY, a.size(), a.children());
    }

    private static Attributes withChildren(Attributes a, long children) {
        return copy(a, a.kind(), a.size(), children);
    }

    private static Attributes copy(Attributes a, INode.Kind kind, long size, long children) {
        return new Attributes(
                a.name(),
                a.id(),
                new INode.Traits(kind, a.owner(), a.group(), a.mode(), a.replication(), a.blockSize(), a.content()),
                size,
                a.mtime(),
                a.atime(),
                children);
    }

    /** Answers wrongly now and then, once armed. */
    private static final class Spoiled implements Target {
        private final MemoryFileSystem files;
        private final Spoiler spoiler;
        private int candidates;
        private int planted;

        Spoiled(MemoryFileSystem files, Spoiler spoiler) {
            this.files = files;
            this.spoiler = spoiler;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
            R reply = null;
            FsException refusal = null;
            try {
                reply = files.apply(operation);
            } catch (FsException refused) {
                refusal = refused;
            }
            Object wrong = spoiler.spoil(operation, reply, refusal);
            if (wrong != null && ++candidates % EVERY == 0) {
                planted++;
                // A target that answers with another type than it says is one of the faults.
                return wrong instanceof FsException thrown
                        ? CompletableFuture.failedFuture(thrown)
                        : CompletableFuture.completedFuture((R) wrong);
            }
            return refusal == null ? CompletableFuture.completedFuture(reply) : CompletableFuture.failedFuture(refusal);
        }
    }

    private ReplayResult replay(ImportedTree tree, Target target) {
        ReplaySettings settings = ReplaySettings.of(tree, Workload.spotify(Duration.ofSeconds(1), 10_000, SEED))
                .withDrain(Duration.ofSeconds(60));
        return Replay.run(settings, target, ClusterProbe.none(), progress -> {}, unfinished -> {}, new QuickTime());
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountEveryWrongAnswer(Fault fault) throws Exception {
        MemoryFileSystem files = new MemoryFileSystem();
        ImportedTree tree = Trees.importInto(files, Trees.write(directory, 40, 20));
        Spoiled target = new Spoiled(files, fault.spoiler);
        ReplayResult result = replay(tree, target);
        assertThat(target.planted).isPositive();
        assertThat(result.failed()).isEqualTo(target.planted);
        assertThat(result.failures()).isNotEmpty().allMatch(text -> text.contains(fault.described));
    }

    @Test
    void shouldFindThatAcknowledgedCreateWasLost() throws Exception {
        MemoryFileSystem files = new MemoryFileSystem();
        ImportedTree tree = Trees.importInto(files, Trees.write(directory, 40, 20));
        Target losing = new Target() {
            private int creates;

            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                try {
                    R reply = files.apply(operation);
                    if (operation instanceof FileOperation.Create && ++creates % EVERY == 0) {
                        files.apply(new NamespaceOperation.Delete(operation.path(), false));
                    }
                    return CompletableFuture.completedFuture(reply);
                } catch (FsException refused) {
                    return CompletableFuture.failedFuture(refused);
                }
            }
        };
        ReplayResult result = replay(tree, losing);
        assertThat(result.failures())
                .anyMatch(text -> text.contains(": ls ") && text.contains("is missing"))
                .anyMatch(text -> text.contains(": read ") && text.contains("NOT_FOUND"));
    }
}
