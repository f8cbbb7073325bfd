package io.lambdafs.client;

import io.lambdafs.model.Operation;
import java.util.Locale;

/** The operations, to count and name them by. */
public enum OperationKind {
    STAT,
    LIST,
    OPEN,
    ACCESS,
    MKDIRS,
    CREATE,
    COMPLETE,
    ADD_BLOCK,
    COMPLETE_BLOCKS,
    RENEW_LEASE,
    ABANDON,
    TAKE_LEASE,
    DELETE,
    RENAME,
    SET_PERMISSION,
    SET_OWNER,
    SET_TIMES,
    SET_REPLICATION;

    private static final Operation.Visitor<OperationKind> VISITOR = new KindVisitor();

    public static OperationKind of(Operation<?> operation) {
        return operation.accept(VISITOR);
    }

    /** As messages and reports name it: {@code stat}, {@code setPermission}. */
    public String label() {
        String lower = name().toLowerCase(Locale.ROOT);
        int underscore = lower.indexOf('_');
        return underscore < 0
                ? lower
                : lower.substring(0, underscore)
                        + Character.toUpperCase(lower.charAt(underscore + 1))
                        + lower.substring(underscore + 2);
    }

    private static final class KindVisitor implements Operation.Visitor<OperationKind> {
        @Override
        public OperationKind stat(Operation.Stat operation) {
            return STAT;
        }

        @Override
        public OperationKind list(Operation.ListPage operation) {
            return LIST;
        }

        @Override
        public OperationKind open(Operation.Open operation) {
            return OPEN;
        }

        @Override
        public OperationKind access(Operation.Access operation) {
            return ACCESS;
        }

        @Override
        public OperationKind mkdirs(Operation.Mkdirs operation) {
            return MKDIRS;
        }

        @Override
        public OperationKind create(Operation.Create operation) {
            return CREATE;
        }

        @Override
        public OperationKind complete(Operation.Complete operation) {
            return COMPLETE;
        }

        @Override
        public OperationKind addBlock(Operation.AddBlock operation) {
            return ADD_BLOCK;
        }

        @Override
        public OperationKind completeBlocks(Operation.CompleteBlocks operation) {
            return COMPLETE_BLOCKS;
        }

        @Override
        public OperationKind renewLease(Operation.RenewLease operation) {
            return RENEW_LEASE;
        }

        @Override
        public OperationKind abandon(Operation.Abandon operation) {
            return ABANDON;
        }

        @Override
        public OperationKind takeLease(Operation.TakeLease operation) {
            return TAKE_LEASE;
        }

        @Override
        public OperationKind delete(Operation.Delete operation) {
            return DELETE;
        }

        @Override
        public OperationKind rename(Operation.Rename operation) {
            return RENAME;
        }

        @Override
        public OperationKind setPermission(Operation.SetPermission operation) {
            return SET_PERMISSION;
        }

        @Override
        public OperationKind setOwner(Operation.SetOwner operation) {
            return SET_OWNER;
        }

        @Override
        public OperationKind setTimes(Operation.SetTimes operation) {
            return SET_TIMES;
        }

        @Override
        public OperationKind setReplication(Operation.SetReplication operation) {
            return SET_REPLICATION;
        }
    }
}
