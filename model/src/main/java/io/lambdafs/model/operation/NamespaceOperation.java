package io.lambdafs.model.operation;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;

/** Writes that create directories, and delete or rename files and directories. Sealed; immutable. */
public sealed interface NamespaceOperation extends WriteOperation<Reply.Done> {
    <T> T accept(Visitor<T> visitor);

    @Override
    default <T> T accept(WriteOperation.Visitor<T> visitor) {
        return accept((Visitor<T>) visitor);
    }

    /**
     * Creates a directory and, unless disabled, its missing ancestors; succeeds if it exists.
     *
     * @param path without reserved names
     * @param mode permission bits with the client's umask applied
     * @param unmasked the bits without the umask, used instead in a directory with a default ACL
     * @param createParents whether missing ancestors are created; otherwise the parent must exist
     */
    record Mkdirs(FsPath path, int mode, int unmasked, boolean createParents) implements NamespaceOperation {
        public Mkdirs {
            path.checkNotReserved();
            OperationChecks.checkMode(mode);
            OperationChecks.checkMode(unmasked);
        }

        /** A mkdirs by a client without a umask. */
        public Mkdirs(FsPath path, int mode, boolean createParents) {
            this(path, mode, mode, createParents);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.MKDIRS;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeInt(mode);
            if (mode != unmasked) {
                out.writeInt(unmasked);
            }
            out.writeBoolean(createParents);
        }

        static Mkdirs read(FsPath path, WireReader in) {
            return new Mkdirs(path, in.readInt(), in.readBoolean());
        }

        static Mkdirs readUnmasked(FsPath path, WireReader in) {
            return new Mkdirs(path, in.readInt(), in.readInt(), in.readBoolean());
        }

        @Override
        public int wireNumber() {
            return mode == unmasked ? kind().number() : OperationKind.MKDIRS_UNMASKED;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.mkdirs(this);
        }
    }

    /** Removes a file or directory; {@code Done(false)} if there is none. A directory with children needs {@code recursive}. */
    record Delete(FsPath path, boolean recursive) implements NamespaceOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.DELETE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeBoolean(recursive);
        }

        static Delete read(FsPath path, WireReader in) {
            return new Delete(path, in.readBoolean());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.delete(this);
        }
    }

    /** Moves a file or directory; routed by its source. The destination must not be a reserved name. */
    record Rename(FsPath path, FsPath destination, RenameMode mode) implements NamespaceOperation {
        public Rename {
            destination.checkNotReserved();
        }

        @Override
        public OperationKind kind() {
            return OperationKind.RENAME;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(destination.toString());
            out.writeEnum(mode);
        }

        static Rename read(FsPath path, WireReader in) {
            return new Rename(path, FsPath.of(in.readString()), in.readEnum(RenameMode.values()));
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.rename(this);
        }
    }

    /** One method per operation of the family. */
    interface Visitor<T> {
        T mkdirs(Mkdirs operation);

        T delete(Delete operation);

        T rename(Rename operation);
    }
}
