package io.lambdafs.model.operation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import org.jspecify.annotations.Nullable;

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

    /**
     * Removes a file or directory; {@code Done(false)} if there is none. A directory with children needs {@code
     * recursive}.
     *
     * @param seen the only file to remove; null for whatever is there
     */
    record Delete(FsPath path, boolean recursive, @Nullable SeenFile seen) implements NamespaceOperation {
        public Delete {
            if (seen != null && recursive) {
                throw FsException.invalidArgument("one file is removed, or a tree");
            }
        }

        public Delete(FsPath path, boolean recursive) {
            this(path, recursive, null);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.DELETE;
        }

        @Override
        public void writeFields(WireWriter out) {
            if (seen == null) {
                out.writeBoolean(recursive);
            } else {
                seen.write(out);
            }
        }

        static Delete read(FsPath path, WireReader in) {
            return new Delete(path, in.readBoolean());
        }

        static Delete readSeen(FsPath path, WireReader in) {
            return new Delete(path, false, SeenFile.read(in));
        }

        @Override
        public int wireNumber() {
            return seen == null ? kind().number() : OperationKind.DELETE_SEEN;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.delete(this);
        }
    }

    /**
     * Moves a file or directory; routed by its source. The destination must not be a reserved name.
     *
     * @param seen the only file to replace, by {@code OVERWRITE}; null for whatever may be there
     */
    record Rename(
            FsPath path,
            FsPath destination,
            RenameMode mode,
            @Nullable SeenFile seen) implements NamespaceOperation {
        public Rename {
            destination.checkNotReserved();
            if (seen != null && mode != RenameMode.OVERWRITE) {
                throw FsException.invalidArgument("only a rename that overwrites can name the file to replace");
            }
        }

        public Rename(FsPath path, FsPath destination, RenameMode mode) {
            this(path, destination, mode, null);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.RENAME;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(destination.toString());
            if (seen == null) {
                out.writeEnum(mode);
            } else {
                seen.write(out);
            }
        }

        static Rename read(FsPath path, WireReader in) {
            return new Rename(path, FsPath.of(in.readString()), in.readEnum(RenameMode.values()));
        }

        static Rename readSeen(FsPath path, WireReader in) {
            return new Rename(path, FsPath.of(in.readString()), RenameMode.OVERWRITE, SeenFile.read(in));
        }

        @Override
        public int wireNumber() {
            return seen == null ? kind().number() : OperationKind.RENAME_SEEN;
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
