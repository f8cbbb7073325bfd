package io.lambdafs.model.operation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import java.util.List;

/** Operations that change nothing. Sealed; immutable. */
public sealed interface ReadOperation<R extends Reply> extends Operation<R> {
    @Override
    default boolean isWrite() {
        return false;
    }

    <T> T accept(Visitor<T> visitor);

    @Override
    default <T> T dispatch(Families<T> families) {
        return families.read(this);
    }

    @Override
    default <T> T accept(Operation.Visitor<T> visitor) {
        return accept((Visitor<T>) visitor);
    }

    /** Reads the attributes of a file or directory. */
    record Stat(FsPath path) implements ReadOperation<Reply.Status> {
        @Override
        public OperationKind kind() {
            return OperationKind.STAT;
        }

        @Override
        public void writeFields(WireWriter out) {}

        static Stat read(FsPath path, WireReader in) {
            return new Stat(path);
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.stat(this);
        }
    }

    /**
     * Reads one page of a directory's entries in name order (UTF-8 bytes), or the single entry of a file.
     *
     * @param startAfter the last name of the previous page; empty for the first page
     * @param limit 1–{@value Operation#MAX_PAGE}; a page may have fewer entries if names are long
     */
    record ListPage(FsPath path, String startAfter, int limit) implements ReadOperation<Reply.Page> {
        public ListPage {
            check(limit);
        }

        private static void check(int limit) {
            if (limit < 1 || limit > MAX_PAGE) {
                throw FsException.invalidArgument("a page has 1.." + MAX_PAGE + " entries, not " + limit);
            }
        }

        @Override
        public FsPath routingDirectory() {
            return path;
        }

        @Override
        public OperationKind kind() {
            return OperationKind.LIST_PAGE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(startAfter);
            out.writeInt(limit);
        }

        static ListPage read(FsPath path, WireReader in) {
            return new ListPage(path, in.readString(), in.readInt());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.list(this);
        }
    }

    /**
     * Reads the first pages of several directories, each as {@link ListPage} does and as of a moment of its own. Routed
     * by the first directory: the others should have the same owner.
     *
     * @param paths 1–{@value #MAX_PATHS}
     * @param limit entries in all, 1–{@value Operation#MAX_PAGE}; the reply has the outcomes of as many of the paths, in
     *     order and at least of the first, as fit that and an HTTP body
     */
    record ListEach(List<FsPath> paths, int limit) implements ReadOperation<Reply.Outcomes> {
        /** Maximum number of directories. */
        public static final int MAX_PATHS = 256;

        public ListEach {
            paths = List.copyOf(paths);
            if (paths.isEmpty() || paths.size() > MAX_PATHS) {
                throw FsException.invalidArgument(
                        "1.." + MAX_PATHS + " directories are listed at once, not " + paths.size());
            }
            ListPage.check(limit);
        }

        /** Returns the listing of one of the directories. */
        public ListPage page(FsPath path) {
            return new ListPage(path, "", limit);
        }

        @Override
        public FsPath path() {
            return paths.get(0);
        }

        @Override
        public FsPath routingDirectory() {
            return path();
        }

        @Override
        public OperationKind kind() {
            return OperationKind.LIST_EACH;
        }

        @Override
        public void writeFields(WireWriter out) {
            FsPath.writeAll(out, paths.subList(1, paths.size()));
            out.writeInt(limit);
        }

        static ListEach read(FsPath path, WireReader in) {
            return new ListEach(FsPath.readAll(path, in), in.readInt());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.listEach(this);
        }
    }

    /**
     * Opens a file for reading: its attributes and its content or blocks.
     *
     * @param offset in bytes; for a file in blocks, blocks from this offset on are located
     */
    record Open(FsPath path, long offset) implements ReadOperation<Reply.Opened> {
        public Open {
            if (offset < 0) {
                throw FsException.invalidArgument("no file has an offset " + offset);
            }
        }

        public Open(FsPath path) {
            this(path, 0);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.OPEN;
        }

        @Override
        public void writeFields(WireWriter out) {
            if (offset != 0) {
                out.writeLong(offset);
            }
        }

        static Open read(FsPath path, WireReader in) {
            return new Open(path);
        }

        @Override
        public int wireNumber() {
            return offset == 0 ? kind().number() : OperationKind.OPEN_AT;
        }

        static Open readAt(FsPath path, WireReader in) {
            return new Open(path, in.readLength());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.open(this);
        }
    }

    /**
     * Checks the caller's access to a file or directory; {@code PERMISSION_DENIED} if not granted.
     *
     * @param wanted the sum of the wanted actions: 4 read, 2 write, 1 execute; 0 checks only that the path can be
     *     reached
     */
    record Access(FsPath path, int wanted) implements ReadOperation<Reply.Done> {
        public Access {
            if (wanted < 0 || wanted > 7) {
                throw FsException.invalidArgument("wanted actions are 0..7, not " + wanted);
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.ACCESS;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeInt(wanted);
        }

        static Access read(FsPath path, WireReader in) {
            return new Access(path, in.readInt());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.access(this);
        }
    }

    /** Reads the extended attributes visible to the caller: names, with or without values. */
    record GetXattrs(FsPath path, boolean withValues) implements ReadOperation<Reply.Xattrs> {
        @Override
        public OperationKind kind() {
            return OperationKind.GET_XATTRS;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeBoolean(withValues);
        }

        static GetXattrs read(FsPath path, WireReader in) {
            return new GetXattrs(path, in.readBoolean());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.xattrs(this);
        }
    }

    /** Reads the ACL of a file or directory. */
    record GetAcl(FsPath path) implements ReadOperation<Reply.AclStatus> {
        @Override
        public OperationKind kind() {
            return OperationKind.GET_ACL;
        }

        @Override
        public void writeFields(WireWriter out) {}

        static GetAcl read(FsPath path, WireReader in) {
            return new GetAcl(path);
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.acl(this);
        }
    }

    /** Reads the storage policy that applies to a file's next block, or to a directory's files. */
    record GetStoragePolicy(FsPath path) implements ReadOperation<Reply.StoragePolicy> {
        @Override
        public OperationKind kind() {
            return OperationKind.GET_STORAGE_POLICY;
        }

        @Override
        public void writeFields(WireWriter out) {}

        static GetStoragePolicy read(FsPath path, WireReader in) {
            return new GetStoragePolicy(path);
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.storagePolicy(this);
        }
    }

    /**
     * Reads whether the file system is in safe mode.
     *
     * @param path used only to choose the deployment to ask
     */
    record GetSafeMode(FsPath path) implements ReadOperation<Reply.Done> {
        @Override
        public OperationKind kind() {
            return OperationKind.GET_SAFE_MODE;
        }

        @Override
        public void writeFields(WireWriter out) {}

        static GetSafeMode read(FsPath path, WireReader in) {
            return new GetSafeMode(path);
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.safeMode(this);
        }
    }

    /**
     * Reads what a directory holds with everything below it, or a file alone, at one moment and whatever its size. Fails
     * with {@code UNSUPPORTED} while the store keeps no exact totals.
     *
     * @param withQuota whether to read the directory's own limits too
     */
    record GetTotals(FsPath path, boolean withQuota) implements ReadOperation<Reply.Totals> {
        /** How the names of extended attributes begin that clients answer by this, and that nobody sets. */
        public static final String XATTRS = "user.lambdafs.dir.";

        public GetTotals(FsPath path) {
            this(path, false);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.GET_TOTALS;
        }

        @Override
        public void writeFields(WireWriter out) {}

        static GetTotals read(FsPath path, WireReader in) {
            return new GetTotals(path);
        }

        @Override
        public int wireNumber() {
            return withQuota ? OperationKind.GET_TOTALS_WITH_QUOTA : kind().number();
        }

        static GetTotals readWithQuota(FsPath path, WireReader in) {
            return new GetTotals(path, true);
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.totals(this);
        }
    }

    /**
     * Compares what two snapshots of a directory see, or one with what is there now. For the directory's owner. What is there
     * now may change meanwhile: then each difference is true of some moment during the comparison.
     *
     * @param from name of the snapshot to begin with; empty for what is there now
     * @param to name of the other; empty for what is there now
     * @param after what the previous reply ends with; empty for the first
     */
    record DiffSnapshots(FsPath path, String from, String to, String after)
            implements ReadOperation<Reply.Differences> {
        @Override
        public OperationKind kind() {
            return OperationKind.DIFF_SNAPSHOTS;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(from);
            out.writeString(to);
            out.writeString(after);
        }

        static DiffSnapshots read(FsPath path, WireReader in) {
            return new DiffSnapshots(path, in.readString(), in.readString(), in.readString());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.diffSnapshots(this);
        }
    }

    /**
     * Reads which files have blocks without a whole object, by the last reports on their block stores, some at a time.
     * For superusers.
     *
     * @param path used only to choose the deployment to ask
     * @param after what the previous reply ends with; empty for the first
     */
    record ListDamaged(FsPath path, String after) implements ReadOperation<Reply.Damaged> {
        @Override
        public OperationKind kind() {
            return OperationKind.LIST_DAMAGED;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(after);
        }

        static ListDamaged read(FsPath path, WireReader in) {
            return new ListDamaged(path, in.readString());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.listDamaged(this);
        }
    }

    /** One method per operation of the family. */
    interface Visitor<T> {
        T stat(Stat operation);

        T list(ListPage operation);

        T listEach(ListEach operation);

        T open(Open operation);

        T access(Access operation);

        T xattrs(GetXattrs operation);

        T acl(GetAcl operation);

        T safeMode(GetSafeMode operation);

        T storagePolicy(GetStoragePolicy operation);

        T listDamaged(ListDamaged operation);

        T totals(GetTotals operation);

        T diffSnapshots(DiffSnapshots operation);
    }

    /** A visitor for which all operations are alike but those that it overrides. */
    interface PartialVisitor<T> extends Visitor<T> {
        T other(ReadOperation<?> operation);

        @Override
        default T stat(Stat operation) {
            return other(operation);
        }

        @Override
        default T list(ListPage operation) {
            return other(operation);
        }

        @Override
        default T listEach(ListEach operation) {
            return other(operation);
        }

        @Override
        default T open(Open operation) {
            return other(operation);
        }

        @Override
        default T access(Access operation) {
            return other(operation);
        }

        @Override
        default T xattrs(GetXattrs operation) {
            return other(operation);
        }

        @Override
        default T acl(GetAcl operation) {
            return other(operation);
        }

        @Override
        default T safeMode(GetSafeMode operation) {
            return other(operation);
        }

        @Override
        default T storagePolicy(GetStoragePolicy operation) {
            return other(operation);
        }

        @Override
        default T listDamaged(ListDamaged operation) {
            return other(operation);
        }

        @Override
        default T totals(GetTotals operation) {
            return other(operation);
        }

        @Override
        default T diffSnapshots(DiffSnapshots operation) {
            return other(operation);
        }
    }
}
