package io.lambdafs.model;

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

    /** One method per operation of the family. */
    interface Visitor<T> {
        T setPermission(SetPermission operation);

        T setOwner(SetOwner operation);

        T setTimes(SetTimes operation);

        T setReplication(SetReplication operation);
    }
}
