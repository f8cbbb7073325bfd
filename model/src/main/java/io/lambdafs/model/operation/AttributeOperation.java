package io.lambdafs.model.operation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.model.inode.StoragePolicies;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes that change attributes of existing files and directories. Sealed; immutable. */
public sealed interface AttributeOperation extends WriteOperation<Reply.Done> {
    <T> T accept(Visitor<T> visitor);

    @Override
    default <T> T accept(WriteOperation.Visitor<T> visitor) {
        return accept((Visitor<T>) visitor);
    }

    /** chmod. */
    record SetPermission(FsPath path, int mode) implements AttributeOperation {
        public SetPermission {
            OperationChecks.checkMode(mode);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.SET_PERMISSION;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeInt(mode);
        }

        static SetPermission read(FsPath path, WireReader in) {
            return new SetPermission(path, in.readInt());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setPermission(this);
        }
    }

    /** chown and chgrp; null keeps the current value. */
    record SetOwner(
            FsPath path, @Nullable String owner, @Nullable String group) implements AttributeOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.SET_OWNER;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeOptionalString(owner);
            out.writeOptionalString(group);
        }

        static SetOwner read(FsPath path, WireReader in) {
            return new SetOwner(path, in.readOptionalString(), in.readOptionalString());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setOwner(this);
        }
    }

    /** Sets times; a negative value keeps the current one. */
    record SetTimes(FsPath path, long mtime, long atime) implements AttributeOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.SET_TIMES;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeLong(mtime);
            out.writeLong(atime);
        }

        static SetTimes read(FsPath path, WireReader in) {
            return new SetTimes(path, in.readLong(), in.readLong());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setTimes(this);
        }
    }

    /** Sets a file's replication, 1–512; {@code Done(false)} if there is no such file. */
    record SetReplication(FsPath path, int replication) implements AttributeOperation {
        public SetReplication {
            OperationChecks.checkReplication(replication);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.SET_REPLICATION;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeInt(replication);
        }

        static SetReplication read(FsPath path, WireReader in) {
            return new SetReplication(path, in.readInt());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setReplication(this);
        }
    }

    /**
     * Sets an extended attribute.
     *
     * @param name with its namespace: {@code user.x}
     * @param create whether the attribute may be created if it does not exist
     * @param replace whether an existing attribute may be replaced
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SetXattr(FsPath path, String name, byte[] value, boolean create, boolean replace)
            implements AttributeOperation {
        /** Maximum length of an attribute's name, without its namespace, and value together, in bytes: HDFS's limit. */
        public static final int MAX_BYTES = 16 << 10;

        public SetXattr {
            String bare = name.substring(name.indexOf('.') + 1);
            if (bare.getBytes(StandardCharsets.UTF_8).length + value.length > MAX_BYTES) {
                throw FsException.invalidArgument("an extended attribute has at most " + MAX_BYTES
                        + " bytes, its name included and its namespace not");
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.SET_XATTR;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(name);
            out.writeBytes(value);
            out.writeBoolean(create);
            out.writeBoolean(replace);
        }

        static SetXattr read(FsPath path, WireReader in) {
            return new SetXattr(path, in.readString(), in.readBytes(), in.readBoolean(), in.readBoolean());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setXattr(this);
        }
    }

    /** Removes an extended attribute. */
    record RemoveXattr(FsPath path, String name) implements AttributeOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.REMOVE_XATTR;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(name);
        }

        static RemoveXattr read(FsPath path, WireReader in) {
            return new RemoveXattr(path, in.readString());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.removeXattr(this);
        }
    }

    /**
     * Turns the file system's safe mode on or off.
     *
     * @param path used only to choose the deployment that handles it
     */
    record SetSafeMode(FsPath path, boolean on) implements AttributeOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.SET_SAFE_MODE;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeBoolean(on);
        }

        static SetSafeMode read(FsPath path, WireReader in) {
            return new SetSafeMode(path, in.readBoolean());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setSafeMode(this);
        }
    }

    /**
     * Changes an ACL.
     *
     * @param entries empty when all are removed
     */
    record ChangeAcl(FsPath path, AclChange change, List<AclEntry> entries) implements AttributeOperation {
        public ChangeAcl {
            entries = List.copyOf(entries);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.CHANGE_ACL;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeEnum(change);
            out.writeString(AclEntry.text(entries));
        }

        static ChangeAcl read(FsPath path, WireReader in) {
            return new ChangeAcl(path, in.readEnum(AclChange.values()), AclEntry.read(in));
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.changeAcl(this);
        }
    }

    /**
     * Sets the storage policy of a file or directory.
     *
     * @param policy a name from {@link StoragePolicies}; empty to inherit the directory's
     */
    record SetStoragePolicy(FsPath path, String policy) implements AttributeOperation {
        public SetStoragePolicy {
            if (!policy.isEmpty() && !StoragePolicies.isName(policy)) {
                throw StoragePolicies.unknown(policy);
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.SET_STORAGE_POLICY;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeString(policy);
        }

        static SetStoragePolicy read(FsPath path, WireReader in) {
            return new SetStoragePolicy(path, in.readString());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setStoragePolicy(this);
        }
    }

    /**
     * Sets or removes the limits of a directory ({@link Quota}). For superusers.
     *
     * @param names the limit of files and directories; {@link Quota#NONE} removes it, {@link Quota#KEEP} leaves it
     * @param space the limit of bytes × replication, alike
     */
    record SetQuota(FsPath path, long names, long space) implements AttributeOperation {
        public SetQuota {
            Quota.check(names, space);
        }

        @Override
        public OperationKind kind() {
            return OperationKind.SET_QUOTA;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeLong(names);
            out.writeLong(space);
        }

        static SetQuota read(FsPath path, WireReader in) {
            return new SetQuota(path, in.readLong(), in.readLong());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setQuota(this);
        }
    }

    /**
     * Changes which snapshots a directory has. That it may have some is decided by superusers, and which by its owner.
     *
     * @param name of the snapshot; empty where the directory is meant
     * @param newName for {@link Action#RENAME}; empty otherwise
     */
    @SuppressWarnings("EnumOrdinal")
    record ChangeSnapshots(FsPath path, Action action, String name, String newName) implements AttributeOperation {
        /** The change; the order is part of the wire format. */
        public enum Action {
            ALLOW,
            DISALLOW,
            CREATE,
            DELETE,
            RENAME;

            private static final Action[] ALL = values();

            boolean isOfDirectory() {
                return this == ALLOW || this == DISALLOW;
            }
        }

        public ChangeSnapshots {
            path.checkNotReserved();
            if (!action.isOfDirectory()) {
                checkName(name);
            }
            if (action == Action.RENAME) {
                checkName(newName);
            }
        }

        private static void checkName(String name) {
            if (!FsPath.isValidName(name) || name.equals(".snapshot")) {
                throw FsException.invalidArgument("not a name of a snapshot: \"" + name + "\"");
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.CHANGE_SNAPSHOTS;
        }

        @Override
        public void writeFields(WireWriter out) {
            out.writeLong(action.ordinal());
            out.writeString(name);
            out.writeString(newName);
        }

        static ChangeSnapshots read(FsPath path, WireReader in) {
            long action = in.readLong();
            if (action < 0 || action >= Action.ALL.length) {
                throw FsException.invalidArgument("no change of snapshots has the number " + action);
            }
            return new ChangeSnapshots(path, Action.ALL[(int) action], in.readString(), in.readString());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.changeSnapshots(this);
        }
    }

    /** One method per operation of the family. */
    interface Visitor<T> {
        T setPermission(SetPermission operation);

        T setOwner(SetOwner operation);

        T setTimes(SetTimes operation);

        T setReplication(SetReplication operation);

        T setXattr(SetXattr operation);

        T removeXattr(RemoveXattr operation);

        T changeAcl(ChangeAcl operation);

        T setSafeMode(SetSafeMode operation);

        T setStoragePolicy(SetStoragePolicy operation);

        T setQuota(SetQuota operation);

        T changeSnapshots(ChangeSnapshots operation);
    }
}
