package io.lambdafs.model;

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

    /** Attributes of a file or directory. */
    record Stat(FsPath path) implements ReadOperation<Reply.Status> {
        @Override
        public OperationKind kind() {
            return OperationKind.STAT;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.stat(this);
        }
    }

    /**
     * One page of a directory's entries in order of their names (UTF-8 bytes), or the one entry of a file.
     *
     * @param startAfter the last name of the page before; empty for the first page
     * @param limit 1–{@value Operation#MAX_PAGE}; a page may have fewer entries where their names are long
     */
    record ListPage(FsPath path, String startAfter, int limit) implements ReadOperation<Reply.Page> {
        public ListPage {
            if (limit < 1 || limit > MAX_PAGE) {
                throw new FsException(
                        ErrorCode.INVALID_ARGUMENT, "a page has 1.." + MAX_PAGE + " entries, not " + limit);
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
        public <T> T accept(Visitor<T> visitor) {
            return visitor.list(this);
        }
    }

    /**
     * Attributes and content of a file, to read it.
     *
     * @param offset where to begin, in bytes: of a file in blocks, those from there on are located
     */
    record Open(FsPath path, long offset) implements ReadOperation<Reply.Opened> {
        public Open {
            if (offset < 0) {
                throw new FsException(ErrorCode.INVALID_ARGUMENT, "no file has an offset " + offset);
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
        public <T> T accept(Visitor<T> visitor) {
            return visitor.open(this);
        }
    }

    /**
     * Whether the caller may do something with a file or directory; {@code PERMISSION_DENIED} where it may not.
     *
     * @param wanted the actions wanted, 4 to read, 2 to write, 1 to execute, added; 0 asks only whether the path can be reached
     */
    record Access(FsPath path, int wanted) implements ReadOperation<Reply.Done> {
        public Access {
            if (wanted < 0 || wanted > 7) {
                throw new FsException(ErrorCode.INVALID_ARGUMENT, "wanted actions are 0..7, not " + wanted);
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.ACCESS;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.access(this);
        }
    }

    /** The names of extended attributes, with or without their values: those that the caller may see. */
    record GetXattrs(FsPath path, boolean withValues) implements ReadOperation<Reply.Xattrs> {
        @Override
        public OperationKind kind() {
            return OperationKind.GET_XATTRS;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.xattrs(this);
        }
    }

    /** The ACL of a file or directory. */
    record GetAcl(FsPath path) implements ReadOperation<Reply.AclStatus> {
        @Override
        public OperationKind kind() {
            return OperationKind.GET_ACL;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.acl(this);
        }
    }

    /** The storage policy by which a file's next block is placed, or those of a directory's files. */
    record GetStoragePolicy(FsPath path) implements ReadOperation<Reply.StoragePolicy> {
        @Override
        public OperationKind kind() {
            return OperationKind.GET_STORAGE_POLICY;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.storagePolicy(this);
        }
    }

    /**
     * Whether the file system is in safe mode.
     *
     * @param path chooses the deployment that is asked, and nothing else
     */
    record GetSafeMode(FsPath path) implements ReadOperation<Reply.Done> {
        @Override
        public OperationKind kind() {
            return OperationKind.GET_SAFE_MODE;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.safeMode(this);
        }
    }

    /** One method per operation of the family. */
    interface Visitor<T> {
        T stat(Stat operation);

        T list(ListPage operation);

        T open(Open operation);

        T access(Access operation);

        T xattrs(GetXattrs operation);

        T acl(GetAcl operation);

        T safeMode(GetSafeMode operation);

        T storagePolicy(GetStoragePolicy operation);
    }
}
