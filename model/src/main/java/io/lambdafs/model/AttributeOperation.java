package io.lambdafs.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes that change attributes of what is there. Sealed; immutable. */
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
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setPermission(this);
        }
    }

    /** chown and chgrp; null keeps what is. */
    record SetOwner(
            FsPath path, @Nullable String owner, @Nullable String group) implements AttributeOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.SET_OWNER;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setOwner(this);
        }
    }

    /** Sets times; a negative value keeps what is. */
    record SetTimes(FsPath path, long mtime, long atime) implements AttributeOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.SET_TIMES;
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
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setReplication(this);
        }
    }

    /**
     * Sets an extended attribute.
     *
     * @param name with its namespace: {@code user.x}
     * @param create whether it may be made, where it is not there
     * @param replace whether it may be replaced, where it is there
     */
    @SuppressWarnings("ArrayRecordComponent")
    record SetXattr(FsPath path, String name, byte[] value, boolean create, boolean replace)
            implements AttributeOperation {
        /** Longest name and value of an attribute together, in bytes: HDFS's limit. */
        public static final int MAX_BYTES = 16 << 10;

        public SetXattr {
            if (name.length() + value.length > MAX_BYTES) {
                throw new FsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "an extended attribute has at most " + MAX_BYTES + " bytes, its name included");
            }
        }

        @Override
        public OperationKind kind() {
            return OperationKind.SET_XATTR;
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
        public <T> T accept(Visitor<T> visitor) {
            return visitor.removeXattr(this);
        }
    }

    /**
     * Puts the file system into safe mode, or takes it out.
     *
     * @param path chooses the deployment that does it, and nothing else
     */
    record SetSafeMode(FsPath path, boolean on) implements AttributeOperation {
        @Override
        public OperationKind kind() {
            return OperationKind.SET_SAFE_MODE;
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setSafeMode(this);
        }
    }

    /** How entries change an ACL; as HDFS's operations of similar names. */
    enum AclChange {
        /** The entries replace those that are for the same, or are added. */
        MODIFY,
        /** The entries are removed, whatever they allow. */
        REMOVE,
        /** All default entries are removed. */
        REMOVE_DEFAULT,
        /** All that the mode does not have is removed. */
        REMOVE_ALL,
        /** The entries replace all access entries, or all default ones, or both, as they are; none remove all. */
        SET
    }

    /**
     * Changes an ACL.
     *
     * @param entries none where all are removed
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
        public <T> T accept(Visitor<T> visitor) {
            return visitor.changeAcl(this);
        }
    }

    /**
     * Sets the storage policy of a file or directory.
     *
     * @param policy its name, as {@link StoragePolicies} has them; empty for that of its directory
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
        public <T> T accept(Visitor<T> visitor) {
            return visitor.setStoragePolicy(this);
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
    }
}
