package io.lambdafs.model;

import org.jspecify.annotations.Nullable;

/** The kinds of operations: the registry of their names, their numbers on the wire and their replies. */
public enum OperationKind {
    STAT("stat", 110, Reply.Status.class),
    LIST_PAGE("list", 111, Reply.Page.class),
    LIST_EACH("listEach", 156, Reply.Outcomes.class),
    OPEN("open", 112, Reply.Opened.class),
    ACCESS("access", 109, Reply.Done.class),
    MKDIRS("mkdirs", 113, Reply.Done.class),
    CREATE("create", 114, Reply.Status.class),
    COMPLETE("complete", 115, Reply.Status.class),
    ADD_BLOCK("addBlock", 128, Reply.BlockAdded.class),
    COMPLETE_BLOCKS("completeBlocks", 129, Reply.Status.class),
    RENEW_LEASE("renewLease", 130, Reply.Done.class),
    ABANDON("abandon", 131, Reply.Done.class),
    TAKE_LEASE("takeLease", 132, Reply.Leased.class),
    RECOVER_LEASE("recoverLease", 143, Reply.Done.class),
    TRUNCATE("truncate", 140, Reply.Done.class),
    CONCAT("concat", 141, Reply.Done.class),
    DELETE("delete", 116, Reply.Done.class),
    BULK_DELETE("bulkDelete", 155, Reply.Outcomes.class),
    RENAME("rename", 117, Reply.Done.class),
    SET_PERMISSION("setPermission", 118, Reply.Done.class),
    SET_OWNER("setOwner", 119, Reply.Done.class),
    SET_TIMES("setTimes", 120, Reply.Done.class),
    GET_XATTRS("getXattrs", 144, Reply.Xattrs.class),
    SET_XATTR("setXattr", 145, Reply.Done.class),
    REMOVE_XATTR("removeXattr", 146, Reply.Done.class),
    GET_ACL("getAcl", 147, Reply.AclStatus.class),
    CHANGE_ACL("changeAcl", 148, Reply.Done.class),
    GET_SAFE_MODE("getSafeMode", 151, Reply.Done.class),
    SET_SAFE_MODE("setSafeMode", 152, Reply.Done.class),
    GET_STORAGE_POLICY("getStoragePolicy", 153, Reply.StoragePolicy.class),
    SET_STORAGE_POLICY("setStoragePolicy", 154, Reply.Done.class),
    LIST_DAMAGED("listDamaged", 159, Reply.Damaged.class),
    SET_REPLICATION("setReplication", 121, Reply.Done.class);

    private static final int NUMBERS = 256;
    private static final @Nullable OperationKind[] BY_NUMBER = byNumber();

    private final String label;
    private final int number;
    private final Class<? extends Reply> replyType;

    OperationKind(String label, int number, Class<? extends Reply> replyType) {
        this.label = label;
        this.number = number;
        this.replyType = replyType;
    }

    private static @Nullable OperationKind[] byNumber() {
        @Nullable OperationKind[] kinds = new @Nullable OperationKind[NUMBERS];
        for (OperationKind kind : values()) {
            if (kinds[kind.number] != null) {
                throw new IllegalStateException(kind + " and " + kinds[kind.number] + " have one number");
            }
            kinds[kind.number] = kind;
        }
        return kinds;
    }

    /** Returns the kind with a wire number; null if this build does not know it. */
    public static @Nullable OperationKind of(int number) {
        return number < 0 || number >= NUMBERS ? null : BY_NUMBER[number];
    }

    /** Returns the name in messages and reports: {@code stat}, {@code setPermission}. */
    public String label() {
        return label;
    }

    /** Returns the wire number: one unsigned byte, never reused for another kind. */
    public int number() {
        return number;
    }

    /** Returns the reply type on success. */
    public Class<? extends Reply> replyType() {
        return replyType;
    }
}
