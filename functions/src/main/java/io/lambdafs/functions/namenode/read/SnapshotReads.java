package io.lambdafs.functions.namenode.read;

import io.lambdafs.functions.listing.PageBytes;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.Resolver;
import io.lambdafs.functions.namenode.block.BlockReads;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.MetadataStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Answers reads of what snapshots see, at paths with a component {@code .snapshot} (PROTOCOL: V4). Nothing of it is cached, and
 * it never changes while the snapshot is there, which each answer checks last. Rights are judged by what the snapshot sees.
 * Thread-safe.
 */
public final class SnapshotReads {
    private final MetadataStore store;
    private final Resolver resolver;
    private final Access access;
    private final BlockReads blocks;

    public SnapshotReads(MetadataStore store, Resolver resolver, Access access, BlockReads blocks) {
        this.store = store;
        this.resolver = resolver;
        this.access = access;
        this.blocks = blocks;
    }

    /** Returns the visitor that executes a call's operation at a path in a snapshot. */
    public ReadOperation.Visitor<CompletionStage<Reply>> of(Call call) {
        return new ReadOperation.PartialVisitor<>() {
            @Override
            public CompletionStage<Reply> other(ReadOperation<?> operation) {
                return CompletableFuture.failedFuture(
                        unsupported(operation.kind().label() + " is not told of snapshots"));
            }

            @Override
            public CompletionStage<Reply> stat(ReadOperation.Stat operation) {
                return found(
                        call, operation.path(), at -> at.attributes(at.node()).thenApply(Reply.Status::new));
            }

            @Override
            public CompletionStage<Reply> list(ReadOperation.ListPage operation) {
                return found(call, operation.path(), at -> page(call, at, operation));
            }

            @Override
            public CompletionStage<Reply> open(ReadOperation.Open operation) {
                return found(call, operation.path(), at -> {
                    if (at.node().isDirectory()) {
                        throw Chain.isADirectory(operation.path());
                    }
                    access.check(call.caller(), at.node(), Access.READ, operation.path());
                    return at.view().open(call, blocks, at.node(), operation.offset());
                });
            }

            @Override
            public CompletionStage<Reply> access(ReadOperation.Access operation) {
                return found(call, operation.path(), at -> {
                    access.check(call.caller(), at.node(), operation.wanted(), operation.path());
                    return CompletableFuture.completedFuture(Reply.Done.YES);
                });
            }

            @Override
            public CompletionStage<Reply> xattrs(ReadOperation.GetXattrs operation) {
                return found(
                        call,
                        operation.path(),
                        at -> at.node().hasXattrs()
                                ? CompletableFuture.failedFuture(
                                        unsupported("extended attributes are not kept for snapshots"))
                                : CompletableFuture.completedFuture(Reply.Xattrs.NONE));
            }

            @Override
            public CompletionStage<Reply> acl(ReadOperation.GetAcl operation) {
                return found(
                        call, operation.path(), at -> CompletableFuture.completedFuture(Reply.AclStatus.of(at.node())));
            }

            @Override
            public CompletionStage<Reply> totals(ReadOperation.GetTotals operation) {
                return found(call, operation.path(), at -> {
                    INode node = at.node();
                    if (node.isFile()) {
                        return CompletableFuture.completedFuture(told(DirectoryTotals.of(node)));
                    }
                    access.check(call.caller(), node, Access.READ | Access.EXECUTE, operation.path());
                    if (at.isList()) {
                        throw unsupported("the totals of all snapshots together are not known");
                    }
                    return at.view()
                            .counts(node.id())
                            .thenApply(counts -> told(counts.totals().plus(DirectoryTotals.DIRECTORY)));
                });
            }
        };
    }

    /** Compares two snapshots of a directory, or one with now. */
    CompletionStage<Reply> differences(Call call, ReadOperation.DiffSnapshots operation) {
        FsPath path = operation.path();
        return resolver.resolve(call, path, path.depth()).thenCompose(chain -> {
            access.checkRead(call.caller(), chain, path);
            INode top = chain.directory(path.depth());
            if (!top.isSnapshottable()) {
                throw new FsException(
                        ErrorCode.SNAPSHOT_REFUSED, "Directory is not a snapshottable directory: " + path);
            }
            access.checkOwner(call.caller(), top, path);
            return view(call, top, path, operation.from())
                    .thenCombine(view(call, top, path, operation.to()), List::of)
                    .thenCompose(views -> differences(call, top, views.get(0), views.get(1), operation.after()));
        });
    }

    private CompletionStage<SnapshotView> view(Call call, INode top, FsPath path, String name) {
        if (name.isEmpty()) {
            return CompletableFuture.completedFuture(SnapshotView.ofNow(store, call, top.id()));
        }
        return SnapshotView.find(store, call, top.id(), name).thenApply(view -> {
            if (view == null) {
                throw new FsException(
                        ErrorCode.SNAPSHOT_REFUSED,
                        "Cannot find the snapshot of directory " + path + " with name " + name);
            }
            return view;
        });
    }

    private CompletionStage<Reply> differences(Call call, INode top, SnapshotView from, SnapshotView to, String after) {
        return new SnapshotDiff(store, call, top, from, to)
                .all()
                .thenCombine(from.isThere().thenCombine(to.isThere(), Boolean::logicalAnd), (all, there) -> {
                    if (!there) {
                        throw new FsException(
                                ErrorCode.SNAPSHOT_REFUSED, "a snapshot was deleted while it was compared");
                    }
                    return page(all, after);
                });
    }

    /** Returns the next part of all differences, which are in the order of their paths. */
    private static Reply page(List<Difference> all, String after) {
        List<Difference> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(Difference::path)
                .thenComparing(Difference::kind)
                .thenComparing(Difference::target));
        List<Difference> shown = new ArrayList<>();
        int left = PageBytes.MAX;
        for (Difference each : sorted) {
            String position = position(each);
            if (position.compareTo(after) > 0) {
                left -= PageBytes.of(each);
                if (left < 0) {
                    return new Reply.Differences(shown, position(shown.get(shown.size() - 1)));
                }
                shown.add(each);
            }
        }
        return new Reply.Differences(shown, "");
    }

    private static String position(Difference one) {
        return one.path() + '\0' + one.kind().number();
    }

    private static FsException unsupported(String why) {
        return new FsException(ErrorCode.UNSUPPORTED, why);
    }

    private static Reply told(DirectoryTotals below) {
        DirectoryTotals all = below.told();
        return new Reply.Totals(all.files(), all.directories(), all.bytes(), all.space());
    }

    /**
     * The file or directory at a path.
     *
     * @param node the file or directory, named as in the path
     * @param view what the snapshot sees; of a directory's list of snapshots, which is one itself, what there is
     */
    private record At(INode node, SnapshotView view, boolean isList) {
        CompletionStage<Attributes> attributes(INode shown) {
            if (shown.isFile()) {
                return CompletableFuture.completedFuture(Attributes.of(shown, DirectoryStats.EMPTY));
            }
            return isList
                    ? view.snapshots()
                            .thenApply(all -> Attributes.of(shown, new DirectoryStats(all.size(), shown.mtime())))
                    : view.counts(shown.id()).thenApply(counts -> Attributes.of(shown, counts.stats()));
        }
    }

    private CompletionStage<Reply> found(Call call, FsPath path, Function<At, CompletionStage<Reply>> answer) {
        int depth = path.snapshotDepth();
        FsPath directory = path.ancestor(depth - 1);
        return resolver.resolve(call, directory, depth - 1).thenCompose(chain -> {
            access.checkRead(call.caller(), chain, path);
            if (!chain.reaches(depth - 1)
                    || !chain.last().isDirectory()
                    || !chain.last().isSnapshottable()) {
                throw Chain.notFound(path);
            }
            INode top = chain.last();
            access.check(call.caller(), top, Access.EXECUTE, directory);
            if (path.depth() == depth) {
                INode list = top.withLocation(top.id(), path.name());
                return answer.apply(new At(list, SnapshotView.ofAll(store, call, top.id()), true));
            }
            return SnapshotView.find(store, call, top.id(), path.name(depth))
                    .thenCompose(view -> view == null
                            ? CompletableFuture.failedFuture(Chain.notFound(path))
                            : view.top()
                                    .thenCompose(node -> node == null
                                            ? CompletableFuture.failedFuture(Chain.notFound(path))
                                            : down(call, path, depth + 1, node, view))
                                    .thenCompose(node -> answer.apply(new At(node, view, false)))
                                    .thenCompose(reply -> view.isThere().thenApply(there -> {
                                        if (!there) {
                                            throw Chain.notFound(path);
                                        }
                                        return reply;
                                    })));
        });
    }

    /** Walks down from a directory in a snapshot. */
    private CompletionStage<INode> down(Call call, FsPath path, int depth, INode node, SnapshotView view) {
        if (depth == path.depth()) {
            return CompletableFuture.completedFuture(node);
        }
        if (node.isFile()) {
            throw access.isSuperuser(call.caller()) ? Chain.notFound(path) : Chain.notADirectory(path.ancestor(depth));
        }
        access.check(call.caller(), node, Access.EXECUTE, path.ancestor(depth));
        return view.look(node.id(), path.name(depth))
                .thenCompose(next -> next == null
                        ? CompletableFuture.failedFuture(Chain.notFound(path))
                        : down(call, path, depth + 1, next, view));
    }

    private CompletionStage<Reply> page(Call call, At at, ReadOperation.ListPage operation) {
        INode node = at.node();
        if (node.isFile()) {
            return at.attributes(node).thenApply(one -> new Reply.Page(List.of(one), false));
        }
        access.check(call.caller(), node, Access.READ | Access.EXECUTE, operation.path());
        return (at.isList()
                        ? at.view().tops(operation.startAfter(), operation.limit())
                        : at.view().children(node.id(), operation.startAfter(), operation.limit()))
                .thenCompose(slice -> entries(at, slice.nodes(), new ArrayList<>())
                        .thenApply(entries -> new Reply.Page(entries, slice.more())));
    }

    private static CompletionStage<List<Attributes>> entries(
            At at, List<SnapshotView.Seen> seen, List<Attributes> made) {
        if (made.size() == seen.size()) {
            return CompletableFuture.completedFuture(made);
        }
        SnapshotView.Seen next = seen.get(made.size());
        return new At(next.node(), next.view(), false).attributes(next.node()).thenCompose(one -> {
            made.add(one);
            return entries(at, seen, made);
        });
    }
}
