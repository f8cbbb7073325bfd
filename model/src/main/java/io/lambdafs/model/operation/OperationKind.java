package io.lambdafs.model.operation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.operation.AttributeOperation.ChangeAcl;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots;
import io.lambdafs.model.operation.AttributeOperation.RemoveXattr;
import io.lambdafs.model.operation.AttributeOperation.SetOwner;
import io.lambdafs.model.operation.AttributeOperation.SetPermission;
import io.lambdafs.model.operation.AttributeOperation.SetQuota;
import io.lambdafs.model.operation.AttributeOperation.SetReplication;
import io.lambdafs.model.operation.AttributeOperation.SetSafeMode;
import io.lambdafs.model.operation.AttributeOperation.SetStoragePolicy;
import io.lambdafs.model.operation.AttributeOperation.SetTimes;
import io.lambdafs.model.operation.AttributeOperation.SetXattr;
import io.lambdafs.model.operation.BlockOperation.Abandon;
import io.lambdafs.model.operation.BlockOperation.AddBlock;
import io.lambdafs.model.operation.BlockOperation.CompleteBlocks;
import io.lambdafs.model.operation.BlockOperation.Concat;
import io.lambdafs.model.operation.BlockOperation.RecoverLease;
import io.lambdafs.model.operation.BlockOperation.RenewLease;
import io.lambdafs.model.operation.BlockOperation.TakeLease;
import io.lambdafs.model.operation.BlockOperation.Truncate;
import io.lambdafs.model.operation.FileOperation.Complete;
import io.lambdafs.model.operation.FileOperation.Create;
import io.lambdafs.model.operation.NamespaceOperation.Delete;
import io.lambdafs.model.operation.NamespaceOperation.Mkdirs;
import io.lambdafs.model.operation.NamespaceOperation.Rename;
import io.lambdafs.model.operation.ReadOperation.Access;
import io.lambdafs.model.operation.ReadOperation.DiffSnapshots;
import io.lambdafs.model.operation.ReadOperation.GetAcl;
import io.lambdafs.model.operation.ReadOperation.GetSafeMode;
import io.lambdafs.model.operation.ReadOperation.GetStoragePolicy;
import io.lambdafs.model.operation.ReadOperation.GetTotals;
import io.lambdafs.model.operation.ReadOperation.GetXattrs;
import io.lambdafs.model.operation.ReadOperation.ListDamaged;
import io.lambdafs.model.operation.ReadOperation.ListEach;
import io.lambdafs.model.operation.ReadOperation.ListPage;
import io.lambdafs.model.operation.ReadOperation.Open;
import io.lambdafs.model.operation.ReadOperation.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of operations: the registry of their classes, their names, their numbers on the wire, their replies and how
 * their fields are read. Wire numbers are unsigned bytes, never reused; an operation with fields that older builds do
 * not know has a further number, a form of its own.
 */
public enum OperationKind {
    STAT(Stat.class, "stat", 110, Reply.Status.class, Stat::read),
    LIST_PAGE(ListPage.class, "list", 111, Reply.Page.class, ListPage::read),
    LIST_EACH(ListEach.class, "listEach", 156, Reply.Outcomes.class, ListEach::read),
    OPEN(Open.class, "open", 112, Reply.Opened.class, Open::read),
    ACCESS(Access.class, "access", 109, Reply.Done.class, Access::read),
    MKDIRS(Mkdirs.class, "mkdirs", 113, Reply.Done.class, Mkdirs::read),
    CREATE(Create.class, "create", 114, Reply.Status.class, Create::read),
    COMPLETE(Complete.class, "complete", 115, Reply.Status.class, Complete::read),
    ADD_BLOCK(AddBlock.class, "addBlock", 128, Reply.BlockAdded.class, AddBlock::read),
    COMPLETE_BLOCKS(CompleteBlocks.class, "completeBlocks", 129, Reply.Status.class, CompleteBlocks::read),
    RENEW_LEASE(RenewLease.class, "renewLease", 130, Reply.Done.class, RenewLease::read),
    ABANDON(Abandon.class, "abandon", 131, Reply.Done.class, Abandon::read),
    TAKE_LEASE(TakeLease.class, "takeLease", 132, Reply.Leased.class, TakeLease::read),
    RECOVER_LEASE(RecoverLease.class, "recoverLease", 143, Reply.Done.class, RecoverLease::read),
    TRUNCATE(Truncate.class, "truncate", 140, Reply.Done.class, Truncate::read),
    CONCAT(Concat.class, "concat", 141, Reply.Done.class, Concat::read),
    DELETE(Delete.class, "delete", 116, Reply.Done.class, Delete::read),
    BULK_DELETE(BulkDelete.class, "bulkDelete", 155, Reply.Outcomes.class, BulkDelete::read),
    RENAME(Rename.class, "rename", 117, Reply.Done.class, Rename::read),
    SET_PERMISSION(SetPermission.class, "setPermission", 118, Reply.Done.class, SetPermission::read),
    SET_OWNER(SetOwner.class, "setOwner", 119, Reply.Done.class, SetOwner::read),
    SET_TIMES(SetTimes.class, "setTimes", 120, Reply.Done.class, SetTimes::read),
    GET_XATTRS(GetXattrs.class, "getXattrs", 144, Reply.Xattrs.class, GetXattrs::read),
    SET_XATTR(SetXattr.class, "setXattr", 145, Reply.Done.class, SetXattr::read),
    REMOVE_XATTR(RemoveXattr.class, "removeXattr", 146, Reply.Done.class, RemoveXattr::read),
    GET_ACL(GetAcl.class, "getAcl", 147, Reply.AclStatus.class, GetAcl::read),
    CHANGE_ACL(ChangeAcl.class, "changeAcl", 148, Reply.Done.class, ChangeAcl::read),
    GET_SAFE_MODE(GetSafeMode.class, "getSafeMode", 151, Reply.Done.class, GetSafeMode::read),
    SET_SAFE_MODE(SetSafeMode.class, "setSafeMode", 152, Reply.Done.class, SetSafeMode::read),
    GET_STORAGE_POLICY(
            GetStoragePolicy.class, "getStoragePolicy", 153, Reply.StoragePolicy.class, GetStoragePolicy::read),
    SET_STORAGE_POLICY(SetStoragePolicy.class, "setStoragePolicy", 154, Reply.Done.class, SetStoragePolicy::read),
    LIST_DAMAGED(ListDamaged.class, "listDamaged", 159, Reply.Damaged.class, ListDamaged::read),
    SET_QUOTA(SetQuota.class, "setQuota", 162, Reply.Done.class, SetQuota::read),
    CHANGE_SNAPSHOTS(ChangeSnapshots.class, "changeSnapshots", 164, Reply.Done.class, ChangeSnapshots::read),
    DIFF_SNAPSHOTS(DiffSnapshots.class, "diffSnapshots", 165, Reply.Differences.class, DiffSnapshots::read),
    GET_TOTALS(GetTotals.class, "getTotals", 161, Reply.Totals.class, GetTotals::read),
    SET_REPLICATION(SetReplication.class, "setReplication", 121, Reply.Done.class, SetReplication::read);

    /** The form of {@link Complete} with a known directory. */
    static final int COMPLETE_IN_DIRECTORY = 127;
    /** The form of {@link Complete} under a writer lease. */
    static final int COMPLETE_LEASED = 142;
    /** The form of {@link Open} with an offset. */
    static final int OPEN_AT = 133;
    /** The form of {@link Mkdirs} with a umask. */
    static final int MKDIRS_UNMASKED = 149;
    /** The form of {@link Create} with a umask. */
    static final int CREATE_UNMASKED = 150;
    /** The form of {@link AddBlock} with a receipt. */
    static final int ADD_BLOCK_PROVED = 157;
    /** The form of {@link CompleteBlocks} with a receipt. */
    static final int COMPLETE_BLOCKS_PROVED = 158;
    /** The form of {@link TakeLease} that names the lease. */
    static final int TAKE_LEASE_OF = 160;
    /** The form of {@link GetTotals} that asks for the limits too. */
    static final int GET_TOTALS_WITH_QUOTA = 163;
    /** The form of {@link Rename} that names the file to replace. */
    static final int RENAME_SEEN = 170;
    /** The form of {@link Delete} that names the file to remove. */
    static final int DELETE_SEEN = 171;

    private static final int NUMBERS = 256;
    private static final @Nullable FieldReader[] READERS = new @Nullable FieldReader[NUMBERS];

    static {
        for (OperationKind kind : values()) {
            register(kind.number, kind.reader);
        }
        register(COMPLETE_IN_DIRECTORY, Complete::readInDirectory);
        register(COMPLETE_LEASED, Complete::readLeased);
        register(OPEN_AT, Open::readAt);
        register(MKDIRS_UNMASKED, Mkdirs::readUnmasked);
        register(CREATE_UNMASKED, Create::readUnmasked);
        register(ADD_BLOCK_PROVED, AddBlock::readProved);
        register(COMPLETE_BLOCKS_PROVED, CompleteBlocks::readProved);
        register(TAKE_LEASE_OF, TakeLease::readReplacing);
        register(GET_TOTALS_WITH_QUOTA, GetTotals::readWithQuota);
        register(RENAME_SEEN, Rename::readSeen);
        register(DELETE_SEEN, Delete::readSeen);
    }

    private final Class<? extends Operation<?>> type;
    private final String label;
    private final int number;
    private final Class<? extends Reply> replyType;

    @SuppressWarnings("ImmutableEnumChecker") // Each is a method without state.
    private final FieldReader reader;

    OperationKind(
            Class<? extends Operation<?>> type,
            String label,
            int number,
            Class<? extends Reply> replyType,
            FieldReader reader) {
        this.type = type;
        this.label = label;
        this.number = number;
        this.replyType = replyType;
        this.reader = reader;
    }

    /** Reads the fields that {@link Operation#writeFields} wrote, and checks them. */
    @FunctionalInterface
    private interface FieldReader {
        Operation<?> read(FsPath path, WireReader in);
    }

    private static void register(int number, FieldReader reader) {
        if (READERS[number] != null) {
            throw new IllegalStateException("two forms have the number " + number);
        }
        READERS[number] = reader;
    }

    /**
     * Decodes one operation.
     *
     * @param number its first byte, already read
     * @throws FsException {@code BAD_FRAME}; or, from the checks of the operation itself, {@code INVALID_PATH},
     *     {@code INVALID_ARGUMENT} or {@code NEEDS_DATANODE}
     */
    public static Operation<?> read(int number, WireReader in) {
        FsPath path = FsPath.of(in.readString());
        FieldReader reader = number < 0 || number >= NUMBERS ? null : READERS[number];
        if (reader == null) {
            throw WireReader.bad("unknown operation " + number);
        }
        return reader.read(path, in);
    }

    /** Returns the class of its operations. */
    public Class<? extends Operation<?>> type() {
        return type;
    }

    /** Returns whether its operations may change the namespace. */
    public boolean isWrite() {
        return WriteOperation.class.isAssignableFrom(type);
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
