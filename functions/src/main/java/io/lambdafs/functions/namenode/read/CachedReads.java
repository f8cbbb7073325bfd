package io.lambdafs.functions.namenode.read;

import io.lambdafs.functions.cache.Listing;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Walk;
import io.lambdafs.functions.listing.PageBytes;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers reads from the cache alone, on the calling thread (the paper's figure 5, step 2). An answer is built from one
 * walk; before sending it, the caller checks that no invalidation has come since and that the lease is valid. A
 * directory's own time and child count are never cached, so {@code stat} of a directory and listings that contain
 * directories are not answered here. Thread-safe.
 */
public final class CachedReads {
    private final PathTrie trie;
    private final Access access;

    public CachedReads(PathTrie trie, Access access) {
        this.trie = trie;
        this.access = access;
    }

    /** Returns the answer as of the walk's version, refusals included; null for a miss. */
    public @Nullable Reply answer(Principal caller, ReadOperation<?> operation, Walk walk) {
        if (operation.path().snapshotDepth() >= 0) {
            // No listing knows the name.
            return null;
        }
        try {
            return operation.accept(new Answer(caller, walk));
        } catch (FsException refused) {
            return new Reply.Failure(refused.code(), String.valueOf(refused.getMessage()));
        }
    }

    /** Answers one operation from one walk; null for a miss. */
    @SuppressWarnings("NullAway") // NullAway does not know that an interface's type variable may be nullable.
    private final class Answer implements ReadOperation.PartialVisitor<@Nullable Reply> {
        private final Principal caller;
        private final Walk walk;

        Answer(Principal caller, Walk walk) {
            this.caller = caller;
            this.walk = walk;
        }

        @Override
        public @Nullable Reply stat(ReadOperation.Stat operation) {
            return CachedReads.this.stat(caller, operation.path(), walk);
        }

        @Override
        public @Nullable Reply list(ReadOperation.ListPage operation) {
            return CachedReads.this.list(caller, operation, walk);
        }

        /** Answers if the cache has all of them, by a walk for each. */
        @Override
        public @Nullable Reply listEach(ReadOperation.ListEach operation) {
            ListedDirectories listed = new ListedDirectories(operation);
            for (FsPath path = listed.next(); path != null; path = listed.next()) {
                Walk own = trie.walk(path);
                Reply page = CachedReads.this.answer(caller, operation.page(path), own);
                if (page == null || !isCurrent(own)) {
                    return null;
                }
                listed.add(page);
            }
            return listed.reply();
        }

        @Override
        public @Nullable Reply open(ReadOperation.Open operation) {
            return CachedReads.this.open(caller, operation.path(), walk);
        }

        @Override
        public @Nullable Reply access(ReadOperation.Access operation) {
            return CachedReads.this.access(caller, operation, walk);
        }

        @Override
        public @Nullable Reply xattrs(ReadOperation.GetXattrs operation) {
            return CachedReads.this.xattrs(caller, operation, walk);
        }

        /** A miss: what is seldom asked, or changed by others than instances, is not cached. */
        @Override
        public @Nullable Reply other(ReadOperation<?> operation) {
            return null;
        }

        @Override
        public @Nullable Reply acl(ReadOperation.GetAcl operation) {
            INode node = any(caller, operation.path(), walk);
            return node == null ? null : Reply.AclStatus.of(node);
        }
    }

    /** Answers for INodes without attributes; all others need their rows read. */
    private @Nullable Reply xattrs(Principal caller, ReadOperation.GetXattrs operation, Walk walk) {
        INode node = any(caller, operation.path(), walk);
        if (node == null || node.hasXattrs()) {
            return null;
        }
        if (operation.withValues()) {
            access.check(caller, node, Access.READ, operation.path());
        }
        return Reply.Xattrs.NONE;
    }

    public Walk walk(FsPath path) {
        return trie.walk(path);
    }

    public boolean isCurrent(Walk walk) {
        return trie.isCurrent(walk.version());
    }

    private @Nullable Reply stat(Principal caller, FsPath path, Walk walk) {
        INode node = file(caller, path, walk);
        return node == null ? null : new Reply.Status(Attributes.of(node, DirectoryStats.EMPTY));
    }

    private @Nullable Reply open(Principal caller, FsPath path, Walk walk) {
        INode node = file(caller, path, walk);
        if (node == null) {
            return null;
        }
        access.check(caller, node, Access.READ, path);
        byte[] content = walk.content();
        if ((content == null && node.content() == INode.Content.INLINE)
                || node.content().isInBlocks()) {
            return null;
        }
        return opened(node, content);
    }

    private @Nullable Reply access(Principal caller, ReadOperation.Access operation, Walk walk) {
        INode node = any(caller, operation.path(), walk);
        if (node == null) {
            return null;
        }
        access.check(caller, node, operation.wanted(), operation.path());
        return Reply.Done.YES;
    }

    /** Same as {@link #file}, but also for directories. */
    private @Nullable INode any(Principal caller, FsPath path, Walk walk) {
        INode node = file(caller, path, walk);
        if (node == null && walk.isComplete()) {
            checkTraverse(caller, path, walk, path.depth());
            node = walk.node(path.depth());
        }
        return node;
    }

    static Reply.Opened opened(INode node, byte @Nullable [] content) {
        byte[] bytes = node.content() == INode.Content.NONE ? new byte[0] : content;
        return new Reply.Opened(Attributes.of(node, DirectoryStats.EMPTY), bytes);
    }

    /**
     * Returns the cached file after checking access along its path; null if unknown or a directory; refuses a path
     * known to be absent.
     */
    private @Nullable INode file(Principal caller, FsPath path, Walk walk) {
        if (walk.isComplete()) {
            INode node = walk.node(path.depth());
            if (node.isDirectory()) {
                return null;
            }
            checkTraverse(caller, path, walk, path.depth());
            return node;
        }
        if (walk.isAbsent()) {
            checkTraverse(caller, path, walk, walk.known());
            throw Chain.notFound(path);
        }
        return null;
    }

    private void checkTraverse(Principal caller, FsPath path, Walk walk, int count) {
        for (int i = 0; i < count; i++) {
            INode node = walk.node(i);
            if (!node.isDirectory()) {
                throw Chain.notADirectory(path.ancestor(i));
            }
            access.check(caller, node, Access.EXECUTE, path);
        }
    }

    private @Nullable Reply list(Principal caller, ReadOperation.ListPage list, Walk walk) {
        FsPath path = list.path();
        if (!walk.isComplete()) {
            if (walk.isAbsent()) {
                checkTraverse(caller, path, walk, walk.known());
                throw Chain.notFound(path);
            }
            return null;
        }
        Listing listing = walk.listing();
        if (listing == null) {
            return null;
        }
        checkTraverse(caller, path, walk, path.depth());
        access.check(caller, walk.node(path.depth()), Access.READ | Access.EXECUTE, path);
        int from = list.startAfter().isEmpty() ? 0 : listing.indexAfter(list.startAfter());
        int to = Math.min(listing.size(), from + list.limit());
        List<Attributes> entries = new ArrayList<>(to - from);
        int left = PageBytes.MAX;
        for (int i = from; i < to; i++) {
            INode node = listing.get(i);
            left -= PageBytes.of(node);
            if (left < 0) {
                return new Reply.Page(entries, true);
            }
            if (node.isDirectory()) {
                return null;
            }
            entries.add(Attributes.of(node, DirectoryStats.EMPTY));
        }
        return new Reply.Page(entries, to < listing.size());
    }
}
