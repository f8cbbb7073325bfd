package io.lambdafs.rpc.objects;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Maps the replies of object stores to failures. Stateless. */
public final class ObjectFailures {
    private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9_]{1,64})</Code>");
    private static final int MOST_SHOWN = 2_000;

    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;
    private static final int BEYOND_THE_END = 416;
    private static final int FULL = 507;

    private ObjectFailures() {}

    /** Returns the failure of a reply with an XML body, as all stores send. */
    static FsException of(String tried, int status, byte[] body) {
        String text = new String(body, 0, Math.min(body.length, MOST_SHOWN), StandardCharsets.UTF_8);
        Matcher matcher = CODE.matcher(text);
        return of(tried, status, matcher.find() ? matcher.group(1) : "", text);
    }

    /**
     * Returns the failure of a reply.
     *
     * @param tried like {@code cannot read KEY in PLACE}
     * @param status HTTP status
     * @param code the store's own; empty if none
     * @param text the store's message
     */
    public static FsException of(String tried, int status, String code, String text) {
        if (isThere(status, code)) {
            return new FsException(ErrorCode.ALREADY_EXISTS, tried + ": it is there already");
        }
        String answer = ": the object store answers " + (status + " " + code).strip();
        String lower = text.toLowerCase(Locale.ROOT);
        if (code.equals("ExpiredToken")
                || (status == FORBIDDEN
                        && (lower.contains("expired") || lower.contains("not valid in the specified time")))) {
            return new FsException(
                    ErrorCode.TOKEN_EXPIRED,
                    tried + ": the URL has expired: open the file again, and check the clocks");
        }
        if (code.equals("RequestTimeTooSkewed") || (status == FORBIDDEN && lower.contains("request date header"))) {
            return new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    tried + answer + "; this machine's clock is wrong: have it set by NTP");
        }
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            return new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    tried + answer + "; check the credentials, and what they may do in the bucket");
        }
        if (status == NOT_FOUND && (code.contains("Bucket") || code.contains("Container"))) {
            return FsException.unavailable(tried + ": there is no such bucket; make it, or name another");
        }
        if (status == NOT_FOUND && code.contains("Upload")) {
            return FsException.unavailable(tried + ": its upload was dropped; write it again");
        }
        if (status == NOT_FOUND) {
            return new FsException(ErrorCode.BLOCK_MISSING, tried + ": there is no such object");
        }
        if (status == CONFLICT) {
            return new FsException(
                    ErrorCode.STORE_CONFLICT, tried + answer + ": another request for it was under way; try again");
        }
        if (status == BEYOND_THE_END) {
            return new FsException(ErrorCode.BLOCK_CORRUPT, tried + ": it has been cut short");
        }
        if (code.equals("BadDigest") || (status == BAD_REQUEST && lower.contains("md5"))) {
            return new FsException(ErrorCode.BLOCK_CORRUPT, tried + ": it was changed on its way");
        }
        if (status == FULL || code.toLowerCase(Locale.ROOT).contains("quota") || code.contains("StorageFull")) {
            return new FsException(ErrorCode.STORE_FULL, tried + answer + ": it is full");
        }
        return FsException.unavailable(tried + answer);
    }

    /**
     * S3 and Google report an existing object by 412, Azure by a code of 409, or of 403 for a request with create
     * permission only. Every other 409 is about colliding requests, S3's {@code ConditionalRequestConflict} among them:
     * the object may not exist.
     */
    private static boolean isThere(int status, String code) {
        return status == PRECONDITION_FAILED
                || (status == CONFLICT && code.endsWith("AlreadyExists"))
                || code.equals("UnauthorizedBlobOverwrite");
    }

    /** Returns the failure of a request without a reply. */
    public static FsException unanswered(String tried, Throwable cause) {
        return FsException.unavailable(tried + ": " + cause.getMessage(), cause);
    }
}
