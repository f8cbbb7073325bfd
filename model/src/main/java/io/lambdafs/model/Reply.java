package io.lambdafs.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a request is answered. Sealed and immutable; there is no null reply. */
public sealed interface Reply {
    <C> void accept(Visitor<C> visitor, C context);

    /**
     * The attributes of one file or directory.
     *
     * @param directoryId id of its directory, where it was made now; 0 elsewhere
     */
    record Status(Attributes attributes, long directoryId) implements Reply {
        public Status(Attributes attributes) {
            this(attributes, 0);
        }

        /** What its writer knows the file by that was made. */
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
     * A file to be read.
     *
     * @param content its bytes; null where they are not kept with the metadata ({@link Attributes#content()} says why)
     * @param blocks of a file in blocks, in order, from the one at the offset that was asked for, some hundred at most; their end is the file's
     *     where the last one ends there. Empty otherwise
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
     * A block to be written.
     *
     * @param block whose length is the most that it may have, and whose generation is that of the writer lease
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
     * @param generation of the lease; all earlier ones are void. 0 where none was taken, for the file is empty and the store of an earlier format level
     * @param blocks how many the file has
     * @param head of a file without blocks, its content: with it the first block begins; null otherwise
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

        /** What its writer knows the file by. */
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
     * @param values by their names; empty where only the names were asked for
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
     * @param mode of which the group's bits are the mask, where there are access entries
     * @param entries as an {@link Acl} has them
     */
    record AclStatus(String owner, String group, int mode, List<AclEntry> entries) implements Reply {
        public AclStatus {
            entries = List.copyOf(entries);
        }

        /** That of an INode. */
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
     * @param policy its name; empty where neither the path nor any directory above has one
     * @param stores the names of the block stores that a policy can choose and that a datanode serves now, in order
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
     * A change.
     *
     * @param changed false where HDFS answers {@code false}: nothing to delete, a legacy rename that cannot be done
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
     * What became of each of many.
     *
     * @param outcomes in the order that was asked for, each {@link Done} or {@link Failure}
     */
    record Outcomes(List<Reply> outcomes) implements Reply {
        public Outcomes {
            outcomes = List.copyOf(outcomes);
            outcomes.forEach(each -> {
                if (!(each instanceof Done || each instanceof Failure)) {
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
     * A refusal or failure.
     *
     * @param placement with {@code RESIZED}, by what the instance that answers is found; null elsewhere
     */
    record Failure(ErrorCode code, String message, @Nullable Placement placement) implements Reply {
        public Failure(ErrorCode code, String message) {
            this(code, message, null);
        }

        /** Of a request that was routed by another number of deployments. */
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

    /** One method per reply, each with what its caller has to hand. */
    interface Visitor<C> {
        void status(Status reply, C context);

        void page(Page reply, C context);

        void opened(Opened reply, C context);

        void blockAdded(BlockAdded reply, C context);

        void leased(Leased reply, C context);

        void xattrs(Xattrs reply, C context);

        void acl(AclStatus reply, C context);

        void storagePolicy(StoragePolicy reply, C context);

        void done(Done reply, C context);

        void outcomes(Outcomes reply, C context);

        void failure(Failure reply, C context);
    }
}
