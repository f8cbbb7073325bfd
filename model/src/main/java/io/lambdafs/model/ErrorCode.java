package io.lambdafs.model;

import java.util.HashMap;
import java.util.Map;

/**
 * Every error that λFS reports, with a number that never changes and a {@link Disposition}. Numbers group by origin: 1xx the
 * namespace, 2xx identity, 3xx a passing state of the service, 4xx a lost answer, 5xx a fault of the system itself.
 */
public enum ErrorCode {
    NOT_FOUND(101, Disposition.FINAL),
    ALREADY_EXISTS(102, Disposition.FINAL),
    NOT_A_DIRECTORY(103, Disposition.FINAL),
    IS_A_DIRECTORY(104, Disposition.FINAL),
    NOT_EMPTY(105, Disposition.FINAL),
    PERMISSION_DENIED(106, Disposition.FINAL),
    INVALID_PATH(107, Disposition.FINAL),
    INVALID_ARGUMENT(108, Disposition.FINAL),
    /** The file is too long to be stored with the metadata, and no datanode serves blocks. */
    NEEDS_DATANODE(109, Disposition.FINAL),
    /** The file was imported without its content: it can be listed, not read. */
    NO_CONTENT(110, Disposition.FINAL),
    /** The file being completed already has content. */
    NOT_UNDER_CONSTRUCTION(111, Disposition.FINAL),
    /** The root cannot be renamed or deleted, nor a directory moved into its own subtree. */
    NOT_ALLOWED(112, Disposition.FINAL),
    UNSUPPORTED(113, Disposition.FINAL),
    /** The file's writer lease has been taken or recovered: this writer can no longer add to it. */
    STALE_GENERATION(114, Disposition.FINAL),
    /** Another live writer holds the file's writer lease. */
    BEING_WRITTEN(115, Disposition.FINAL),
    /** The file or directory has no such extended attribute. */
    NO_XATTR(116, Disposition.FINAL),
    /** The entries do not form a valid ACL by HDFS's rules. */
    INVALID_ACL(117, Disposition.FINAL),
    /** The file system is in safe mode, that is, read-only. */
    SAFE_MODE(118, Disposition.FINAL),
    /** A directory's quota admits no more files and directories. */
    NAMES_QUOTA_EXCEEDED(119, Disposition.FINAL),
    /** A directory's quota admits no more bytes × replication. */
    SPACE_QUOTA_EXCEEDED(120, Disposition.FINAL),
    /** A snapshot forbids the change; or the directory may have none, or too many, or has none or another of that name. */
    SNAPSHOT_REFUSED(121, Disposition.FINAL),

    UNAUTHENTICATED(201, Disposition.FINAL),
    TOKEN_EXPIRED(202, Disposition.FINAL),
    /** The request's sequence is below the slot's latest: its reply was received long ago. */
    STALE_SEQUENCE(203, Disposition.FINAL),
    /** A certificate is missing, expired, from another CA or for another address, or one end does not speak TLS. */
    NOT_TRUSTED(204, Disposition.FINAL),

    /** The instance or connection is at its limit: send this request by HTTP, which lets the platform scale out. */
    OVERLOADED(301, Disposition.RETRY),
    /** The instance is joining or leaving. */
    NOT_READY(302, Disposition.RETRY),
    /** The instance's lease ended or its epoch is dead. */
    FENCED(303, Disposition.RETRY),
    /**
     * The store could not grant the locks in time, found a deadlock, or ended the transaction; or an object store had another
     * request for the same object.
     */
    STORE_CONFLICT(304, Disposition.RETRY),
    /** A subtree operation covers the path. */
    SUBTREE_BUSY(305, Disposition.RETRY),
    /** A required service (store, coordinator, gateway, datanode) cannot be reached. */
    UNAVAILABLE(306, Disposition.RETRY),
    /** The FaaS platform refused the invocation (429, 503). */
    THROTTLED(307, Disposition.RETRY),
    /** Several attempts of the request collided; nothing happened. */
    INTERRUPTED(308, Disposition.RETRY),
    /**
     * The request was routed by a different number of deployments than the instance's; the reply carries the
     * instance's.
     */
    RESIZED(309, Disposition.RETRY),
    /** The commit would have led over a directory's quota: nothing happened, and the write is to be decided again. */
    OVER_QUOTA(310, Disposition.RETRY),

    CONNECTION_LOST(401, Disposition.OUTCOME_UNKNOWN),
    TIMED_OUT(402, Disposition.OUTCOME_UNKNOWN),
    /** The function died or failed during an invocation (502). */
    FUNCTION_FAILED(403, Disposition.OUTCOME_UNKNOWN),

    INTERNAL(501, Disposition.FINAL),
    BAD_FRAME(502, Disposition.FINAL),
    /** The store has no space left; reads still work. */
    STORE_FULL(503, Disposition.FINAL),
    DEADLINE_EXCEEDED(504, Disposition.FINAL),
    /** A block's object, or the data received from it, differs from what was written. */
    BLOCK_CORRUPT(505, Disposition.FINAL),
    /** A block of a complete file has no object in its block store. */
    BLOCK_MISSING(506, Disposition.FINAL);

    /** Meaning of an error for operators. */
    public enum Kind {
        /** The file system's answer: the caller asked for something missing or forbidden. */
        REFUSAL,
        /** A state that passes: clients send the request again. */
        PASSING,
        /** A lost answer, or a fault of the system. */
        FAULT
    }

    private static final Map<Integer, ErrorCode> BY_NUMBER = new HashMap<>();

    static {
        for (ErrorCode code : values()) {
            BY_NUMBER.put(code.number, code);
        }
    }

    private final int number;
    private final Disposition disposition;

    ErrorCode(int number, Disposition disposition) {
        this.number = number;
        this.disposition = disposition;
    }

    /** The stable number, 101–599. */
    public int number() {
        return number;
    }

    public Disposition disposition() {
        return disposition;
    }

    public Kind kind() {
        return number < 300 ? Kind.REFUSAL : number < 400 ? Kind.PASSING : Kind.FAULT;
    }

    /** Returns the code that users see: {@code LFS-101}. */
    public String label() {
        return "LFS-" + number;
    }

    /** Returns the code with a number; {@link #INTERNAL} for a number unknown to this version. */
    public static ErrorCode of(int number) {
        ErrorCode code = BY_NUMBER.get(number);
        return code == null ? INTERNAL : code;
    }
}
