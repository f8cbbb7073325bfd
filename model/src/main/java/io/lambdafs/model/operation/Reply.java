package io.lambdafs.model.operation;

import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Acl;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Quota;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The reply to a request. Sealed; immutable; never null. */
public sealed interface Reply {
    <C> void accept(Visitor<C> visitor, C context);

    /**
     * The attributes of one file or directory.
     *
     * @param directoryId id of its directory if it was just created; 0 otherwise
     */
    record Status(Attributes attributes, long directoryId) implements Reply {
        public Status(Attributes attributes) {
            this(attributes, 0);
        }

        /** Returns the writer's handle on the file just created. */
        public OpenFile file() {
            return new OpenFile(attributes.id(), directoryId);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.status(this, context);
        }
    }

    /**
     * A page of a listing.
     *
     * @param more whether names follow the last one
     */
    record Page(List<Attributes> entries, boolean more) implements Reply {
        public Page {
            entries = List.copyOf(entries);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.page(this, context);
        }
    }

    /**
     * A file opened for reading.
     *
     * @param content its bytes; null if they are not stored with the metadata ({@link Attributes#content()} says why)
     * @param blocks for a file in blocks, those from the requested offset on, in order, a few hundred at most; complete
     *     if the last one ends at the file's size. Empty otherwise
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Opened(Attributes attributes, byte @Nullable [] content, List<LocatedBlock> blocks) implements Reply {
        // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
        // file.
        public Opened(Attributes attributes, byte @Nullable [] content, List<LocatedBlock> blocks) {
            this.attributes = attributes;
            this.content = content;
            this.blocks = List.copyOf(blocks);
        }

        public Opened(Attributes attributes, byte @Nullable [] content) {
            this(attributes, content, List.of());
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.opened(this, context);
        }
    }

    /**
     * A newly allocated block.
     *
     * @param block with its maximum as length, and the generation of the writer lease
     */
    record BlockAdded(LocatedBlock block) implements Reply {
        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.blockAdded(this, context);
        }
    }

    /**
     * A writer lease.
     *
     * @param directoryId id of the file's directory
     * @param generation of the lease; all earlier ones are void. 0 if none was taken, because the file is empty and the
     *     store has an earlier format level
     * @param blocks number of blocks in the file
     * @param head the content of a file without blocks, with which its first block begins; null otherwise
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Leased(Attributes attributes, long directoryId, long generation, int blocks, byte @Nullable [] head)
            implements Reply {
        // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
        // file.
        public Leased(Attributes attributes, long directoryId, long generation, int blocks, byte @Nullable [] head) {
            this.attributes = attributes;
            this.directoryId = directoryId;
            this.generation = generation;
            this.blocks = blocks;
            this.head = head;
        }

        /** Returns the writer's handle on the file. */
        public OpenFile file() {
            return new OpenFile(attributes.id(), directoryId);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.leased(this, context);
        }
    }

    /**
     * Extended attributes.
     *
     * @param values by name; empty values if only names were requested
     */
    record Xattrs(SortedMap<String, byte[]> values) implements Reply {
        public static final Xattrs NONE = new Xattrs(new TreeMap<>());

        public Xattrs {
            values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.xattrs(this, context);
        }
    }

    /**
     * Owner, group, mode and ACL.
     *
     * @param mode with the mask in its group bits if there are access entries
     * @param entries as an {@link Acl} has them
     */
    record AclStatus(String owner, String group, int mode, List<AclEntry> entries) implements Reply {
        public AclStatus {
            entries = List.copyOf(entries);
        }

        /** Returns the ACL status of an INode. */
        public static AclStatus of(INode node) {
            Acl acl = node.traits().acl();
            return new AclStatus(node.owner(), node.group(), node.mode(), acl == null ? List.of() : acl.entries());
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.acl(this, context);
        }
    }

    /**
     * A storage policy.
     *
     * @param policy its name; empty if neither the path nor any ancestor has one
     * @param stores the sorted names of block stores that a policy can choose and a datanode serves now
     */
    record StoragePolicy(String policy, List<String> stores) implements Reply {
        public StoragePolicy {
            stores = List.copyOf(stores);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.storagePolicy(this, context);
        }
    }

    /**
     * Files with damaged blocks.
     *
     * @param files their ids, once per block
     * @param next to ask on with; empty if these are the last
     */
    record Damaged(List<Long> files, String next) implements Reply {
        public Damaged {
            files = List.copyOf(files);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.damaged(this, context);
        }
    }

    /**
     * The content of a file or directory in numbers, as in HDFS's content summary.
     *
     * @param directories with itself
     * @param space bytes × replication
     * @param quota the directory's own limits, if the request asked for them
     */
    record Totals(long files, long directories, long bytes, long space, Quota quota) implements Reply {
        public Totals(long files, long directories, long bytes, long space) {
            this(files, directories, bytes, space, Quota.UNLIMITED);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.totals(this, context);
        }
    }

    /**
     * Differences between snapshots, in the order of their paths.
     *
     * @param next for the next request; empty if there are no more
     */
    record Differences(List<Difference> all, String next) implements Reply {
        public Differences {
            all = List.copyOf(all);
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.differences(this, context);
        }
    }

    /**
     * The outcome of a change.
     *
     * @param changed false where HDFS returns {@code false}: nothing to delete, or a legacy rename that cannot be done
     */
    record Done(boolean changed) implements Reply {
        public static final Done YES = new Done(true);
        public static final Done NO = new Done(false);

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.done(this, context);
        }
    }

    /**
     * The outcomes of a bulk operation.
     *
     * @param outcomes in the order of the request, each {@link Done}, {@link Page} or {@link Failure}
     */
    record Outcomes(List<Reply> outcomes) implements Reply {
        /**
         * Returns the reply to one of many requests.
         *
         * @throws FsException its failure, if that may pass: all of them are to be tried again then
         */
        public static Reply settled(FsPath path, Reply reply) {
            if (reply instanceof Failure failure && failure.code().disposition() != Disposition.FINAL) {
                throw new FsException(failure.code(), path + ": " + failure.message());
            }
            return reply;
        }

        public Outcomes {
            outcomes = List.copyOf(outcomes);
            outcomes.forEach(each -> {
                if (!(each instanceof Done || each instanceof Page || each instanceof Failure)) {
                    throw new IllegalArgumentException(each + " is no outcome of one of many");
                }
            });
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.outcomes(this, context);
        }
    }

    /**
     * An operation refused or failed.
     *
     * @param placement with {@code RESIZED}, the placement of the answering instance; null otherwise
     */
    record Failure(ErrorCode code, String message, @Nullable Placement placement) implements Reply {
        public Failure(ErrorCode code, String message) {
            this(code, message, null);
        }

        /** Returns the reply to a request routed by a different number of deployments. */
        public static Failure resized(Placement placement) {
            return new Failure(
                    ErrorCode.RESIZED,
                    "the file system has " + placement.deployments() + " deployments (generation "
                            + placement.generation() + "): route by that",
                    placement);
        }

        public FsException toException() {
            return new FsException(code, message);
        }

        public static Failure of(Throwable thrown) {
            FsException typed = FsException.of(thrown);
            return new Failure(typed.code(), String.valueOf(typed.getMessage()));
        }

        @Override
        public <C> void accept(Visitor<C> visitor, C context) {
            visitor.failure(this, context);
        }
    }

    /** One method per reply, each taking a context of the caller's choice. */
    interface Visitor<C> {
        void status(Status reply, C context);

        void page(Page reply, C context);

        void opened(Opened reply, C context);

        void blockAdded(BlockAdded reply, C context);

        void leased(Leased reply, C context);

        void xattrs(Xattrs reply, C context);

        void acl(AclStatus reply, C context);

        void storagePolicy(StoragePolicy reply, C context);

        void damaged(Damaged reply, C context);

        void totals(Totals reply, C context);

        void differences(Differences reply, C context);

        void done(Done reply, C context);

        void outcomes(Outcomes reply, C context);

        void failure(Failure reply, C context);
    }
}
