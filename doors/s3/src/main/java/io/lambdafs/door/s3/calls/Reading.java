package io.lambdafs.door.s3.calls;

import io.lambdafs.door.hdfs.metrics.DoorMetrics;
import io.lambdafs.door.s3.files.Found;
import io.lambdafs.door.s3.files.Label;
import io.lambdafs.door.s3.files.Looking;
import io.lambdafs.door.s3.wire.S3Call;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.door.s3.wire.S3Replies;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.rpc.http.HttpReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers GetObject and HeadObject. Thread-safe. */
public final class Reading {
    private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");
    private static final List<String> OVERRIDES = List.of(
            "cache-control", "content-disposition", "content-encoding", "content-language", "content-type", "expires");
    private static final String TYPE = "content-type";
    private static final int NOT_MODIFIED = 304;
    private static final int PARTIAL = 206;

    private final DoorMetrics metrics;
    private final Executor workers;

    /** @param workers that may wait for storage */
    public Reading(DoorMetrics metrics, Executor workers) {
        this.metrics = metrics;
        this.workers = workers;
    }

    /** A range of contents. */
    record Range(long from, long length) {
        /**
         * Reads the header of a range.
         *
         * @return empty if the whole contents are to be sent
         * @throws S3Failure InvalidRange
         */
        static Optional<Range> of(String header, long size) {
            Matcher matcher = RANGE.matcher(header);
            if (!matcher.matches()
                    || (matcher.group(1).isEmpty() && matcher.group(2).isEmpty())) {
                return Optional.empty();
            }
            long from;
            long last = size - 1;
            if (matcher.group(1).isEmpty()) {
                long suffix = Long.parseLong(matcher.group(2));
                from = suffix == 0 ? size : Math.max(0, size - suffix);
            } else {
                from = Long.parseLong(matcher.group(1));
                if (!matcher.group(2).isEmpty()) {
                    long told = Long.parseLong(matcher.group(2));
                    if (told < from) {
                        return Optional.empty();
                    }
                    last = Math.min(last, told);
                }
            }
            if (from >= size) {
                throw new S3Failure(S3Code.INVALID_RANGE, "the range begins beyond the end, at " + size);
            }
            return Optional.of(new Range(from, last - from + 1));
        }
    }

    /** Opens the call's object; fails with NoSuchKey or NoSuchBucket if there is none. */
    static Looking.Opened open(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        Optional<FsPath> path = caller.places().find(call.bucket(), call.key());
        if (path.isEmpty()) {
            throw caller.noObject();
        }
        try {
            return Looking.open(caller.fs(), path.get());
        } catch (FsException e) {
            if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.NOT_A_DIRECTORY) {
                throw caller.noObject();
            }
            throw e;
        }
    }

    public HttpReply read(Caller caller) throws InterruptedException {
        S3Call call = caller.call();
        Labels.checkAsked(call);
        Deleting.checkVersion(call.query("versionId"));
        Looking.Opened opened = open(caller);
        boolean kept = false;
        try {
            Found found = opened.found();
            Map<String, String> headers = headers(call, found);
            if (Conditions.ofRead(call).isKnown(found)) {
                headers.remove(TYPE);
                return new HttpReply(NOT_MODIFIED, "", new byte[0], headers);
            }
            Optional<Range> part = part(call, found, headers);
            Optional<Range> asked =
                    part.isPresent() ? part : call.header("range").flatMap(header -> Range.of(header, found.size()));
            Range range = asked.orElse(new Range(0, found.size()));
            asked.ifPresent(each -> headers.put(
                    "content-range",
                    "bytes " + each.from() + "-" + (each.from() + each.length() - 1) + "/" + found.size()));
            if (asked.isEmpty() && call.header("x-amz-checksum-mode").isPresent()) {
                found.label()
                        .map(Label::checksums)
                        .orElse(Map.of())
                        .forEach((kind, value) -> headers.put(Integrity.HEADER + kind, value));
            }
            int status = asked.isPresent() ? PARTIAL : 200;
            String type = String.valueOf(headers.remove(TYPE));
            if (call.method().equals("HEAD")) {
                headers.put("content-length", String.valueOf(range.length()));
                return new HttpReply(status, type, new byte[0], headers);
            }
            kept = true;
            return new HttpReply(
                    status,
                    type,
                    new byte[0],
                    headers,
                    new DownloadReply(opened.reader(), range, workers, metrics::read));
        } finally {
            if (!kept) {
                opened.reader().close();
            }
        }
    }

    /** Returns the range of the part that the call asks for; empty if it asks for none. */
    private static Optional<Range> part(S3Call call, Found found, Map<String, String> headers) {
        if (!call.asks("partNumber")) {
            return Optional.empty();
        }
        int number = call.number("partNumber", 1, Integer.MAX_VALUE);
        String parts = found.label().map(Label::parts).orElse(null);
        String[] lengths = parts == null ? new String[] {String.valueOf(found.size())} : parts.split(",", -1);
        if (number < 1 || number > lengths.length) {
            throw new S3Failure(S3Code.INVALID_PART, "there is no part " + number);
        }
        if (parts != null) {
            headers.put("x-amz-mp-parts-count", String.valueOf(lengths.length));
        }
        long from = 0;
        for (int i = 0; i < number - 1; i++) {
            from += Long.parseLong(lengths[i]);
        }
        return Optional.of(new Range(from, Long.parseLong(lengths[number - 1])));
    }

    private static Map<String, String> headers(S3Call call, Found found) {
        Map<String, String> headers = new HashMap<>();
        headers.put("ETag", Writing.quoted(found.etag()));
        headers.put("last-modified", S3Replies.http(found.time()));
        headers.put("accept-ranges", "bytes");
        headers.put(TYPE, "binary/octet-stream");
        found.label().ifPresent(label -> {
            headers.putAll(label.headers());
            label.metadata().forEach((name, value) -> headers.put(Labels.METADATA + name, value));
        });
        if (!found.tags().isEmpty()) {
            headers.put("x-amz-tagging-count", String.valueOf(found.tags().size()));
        }
        for (String name : OVERRIDES) {
            String told = call.query("response-" + name);
            if (!told.isEmpty()) {
                headers.put(name, S3Call.encodedHeader(told));
            }
        }
        return headers;
    }
}
