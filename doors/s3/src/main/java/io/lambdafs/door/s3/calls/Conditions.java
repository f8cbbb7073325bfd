package io.lambdafs.door.s3.calls;

import io.lambdafs.door.s3.files.Draft;
import io.lambdafs.door.s3.files.Found;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import java.util.Arrays;
import java.util.Optional;

/**
 * The conditions of a call on the object that is there. Immutable.
 *
 * @param match ETags of which it must have one, or {@code *}; empty for none
 * @param noneMatch ETags of which it must have none, or {@code *}
 * @param modifiedSince in milliseconds since 1970, of whole seconds
 * @param unmodifiedSince in milliseconds since 1970, of whole seconds
 * @param size that it must have
 * @param modified when it must have been modified, in milliseconds since 1970, of whole seconds
 */
record Conditions(
        Optional<String> match,
        Optional<String> noneMatch,
        Optional<Long> modifiedSince,
        Optional<Long> unmodifiedSince,
        Optional<Long> size,
        Optional<Long> modified)
        implements Draft.Condition {
    private static final long SECOND = 1_000;
    private static final Conditions NONE = new Conditions(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Returns the conditions of a call that reads. */
    static Conditions ofRead(S3Call call) {
        return new Conditions(
                call.header("if-match"),
                call.header("if-none-match"),
                call.header("if-modified-since").flatMap(S3Replies::moment),
                call.header("if-unmodified-since").flatMap(S3Replies::moment),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns the conditions of a copy on its source. */
    static Conditions ofSource(S3Call call) {
        return new Conditions(
                call.header("x-amz-copy-source-if-match"),
                call.header("x-amz-copy-source-if-none-match"),
                call.header("x-amz-copy-source-if-modified-since").flatMap(S3Replies::moment),
                call.header("x-amz-copy-source-if-unmodified-since").flatMap(S3Replies::moment),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns the condition of a call that writes, or replaces what it names whatever it is. */
    static Draft.Condition ofWrite(S3Call call) {
        Optional<String> match = call.header("if-match");
        Optional<String> noneMatch = call.header("if-none-match");
        return match.isEmpty() && noneMatch.isEmpty()
                ? Draft.UNCONDITIONAL
                : new Conditions(
                        match, noneMatch, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the condition of a call that deletes. */
    static Draft.Condition ofDelete(S3Call call) {
        return ofDelete(
                call.header("if-match"),
                call.header("x-amz-if-match-size"),
                call.header("x-amz-if-match-last-modified-time"));
    }

    static Draft.Condition ofDelete(Optional<String> match, Optional<String> size, Optional<String> modified) {
        Conditions made = new Conditions(
                match,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                size.map(Conditions::number),
                modified.map(text -> S3Replies.moment(text)
                        .map(moment -> moment / SECOND * SECOND)
                        .orElseThrow(() -> new S3Failure(S3Code.INVALID_ARGUMENT, "a time cannot be read"))));
        return made.equals(NONE) ? Draft.UNCONDITIONAL : made;
    }

    private static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new S3Failure(S3Code.INVALID_ARGUMENT, "a size is no number");
        }
        return Long.parseLong(text);
    }

    @Override
    public Draft.Expected check(Optional<Found> there) {
        if (there.isEmpty()) {
            if (match.isPresent() || size.isPresent() || modified.isPresent()) {
                throw new S3Failure(S3Code.NO_SUCH_KEY, "there is no object to match");
            }
            return Draft.Expected.NONE;
        }
        Found found = there.get();
        if (noneMatch.isPresent() && has(noneMatch.get(), found)) {
            throw failed("If-None-Match");
        }
        if (match.isPresent() && !has(match.get(), found)) {
            throw failed("If-Match");
        }
        if (size.isPresent() && size.get() != found.size()) {
            throw failed("x-amz-if-match-size");
        }
        if (modified.isPresent() && !modified.get().equals(seconds(found))) {
            throw failed("x-amz-if-match-last-modified-time");
        }
        return new Draft.Expected(false, found.seen());
    }

    private static S3Failure failed(String which) {
        return new S3Failure(
                S3Code.PRECONDITION_FAILED, "At least one of the preconditions you specified did not hold: " + which);
    }

    private static boolean has(String list, Found found) {
        String etag = found.etag();
        return list.strip().equals("*")
                || Arrays.stream(list.split(",", -1))
                        .map(each -> each.strip().replaceFirst("^W/", "").replace("\"", ""))
                        .anyMatch(etag::equals);
    }

    /** Times in headers are of whole seconds. */
    private static long seconds(Found found) {
        return found.time() / SECOND * SECOND;
    }

    /**
     * Checks an object that is to be read.
     *
     * @return whether its reader has it already
     * @throws S3Failure PreconditionFailed
     */
    boolean isKnown(Found found) {
        if (match.isPresent()
                ? !has(match.get(), found)
                : unmodifiedSince.filter(since -> seconds(found) > since).isPresent()) {
            throw failed(match.isPresent() ? "If-Match" : "If-Unmodified-Since");
        }
        return noneMatch.isPresent()
                ? has(noneMatch.get(), found)
                : modifiedSince.filter(since -> seconds(found) <= since).isPresent();
    }
}
