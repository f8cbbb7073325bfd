package io.lambdafs.datanode.s3;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.Conflicts;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.PrivateFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * An object on its way into a bucket: by one request if it fits into a part, else in parts. Each part is first written
 * to a file, so that it can be sent again and takes no heap. Neither way replaces an object. Confined to one thread at
 * a time.
 */
final class S3Upload implements BlockStore.Upload {
    private static final Logger LOG = LoggerFactory.getLogger(S3Upload.class);
    private static final String ANY = "*";
    /** The object metadata by which its upload recognises it. */
    private static final String MARK = "lambdafs-upload";

    private final S3BlockStore store;
    private final String key;
    private final Path file;
    private final FileChannel part;
    private final Map<String, String> mark =
            Map.of(MARK, HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()));
    private final List<CompletedPart> parts = new ArrayList<>();
    private int filled;
    private @Nullable String uploadId;
    private boolean closed;

    S3Upload(S3BlockStore store, String key, Path file) {
        this.store = store;
        this.key = key;
        this.file = file;
        try {
            part = FileChannel.open(
                    file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PrivateFolder.forFile(file));
        } catch (IOException e) {
            throw unspooled(e);
        }
    }

    private FsException unspooled(IOException e) {
        ErrorCode code =
                String.valueOf(e.getMessage()).contains("No space left") ? ErrorCode.STORE_FULL : ErrorCode.UNAVAILABLE;
        return new FsException(
                code, "cannot keep a part of " + key + " in " + file + ": " + e + "; make room there", e);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            int step = Math.min(end - at, store.settings().partBytes() - filled);
            spool(bytes, at, step);
            at += step;
            if (filled == store.settings().partBytes()) {
                Conflicts.repeat(this::sendPart);
            }
        }
    }

    private void spool(byte[] bytes, int offset, int length) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            while (buffer.hasRemaining()) {
                part.write(buffer);
            }
            filled += length;
        } catch (IOException e) {
            throw unspooled(e);
        }
    }

    private void sendPart() {
        try {
            String id = uploadId;
            if (id == null) {
                id = store.client()
                        .createMultipartUpload(create -> {
                            create.bucket(store.bucket()).key(store.name(key)).metadata(mark);
                            store.settings().encryption().ifPresent(create::serverSideEncryption);
                        })
                        .uploadId();
                uploadId = id;
            }
            String upload = id;
            int number = parts.size() + 1;
            String tag = store.client()
                    .uploadPart(
                            send -> send.bucket(store.bucket())
                                    .key(store.name(key))
                                    .uploadId(upload)
                                    .partNumber(number),
                            RequestBody.fromFile(file))
                    .eTag();
            parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
            part.truncate(0);
            filled = 0;
        } catch (SdkException e) {
            throw S3Failures.of("write", store.place(), key, e);
        } catch (IOException e) {
            throw unspooled(e);
        }
    }

    @Override
    public void commit() {
        if (uploadId != null && filled > 0) {
            Conflicts.repeat(this::sendPart);
        }
        Conflicts.repeat(this::send);
    }

    private void send() {
        String upload = uploadId;
        try {
            if (upload == null) {
                store.client()
                        .putObject(
                                put -> {
                                    put.bucket(store.bucket())
                                            .key(store.name(key))
                                            .metadata(mark)
                                            .ifNoneMatch(ANY);
                                    store.settings().encryption().ifPresent(put::serverSideEncryption);
                                },
                                RequestBody.fromFile(file));
            } else {
                store.client()
                        .completeMultipartUpload(complete -> complete.bucket(store.bucket())
                                .key(store.name(key))
                                .uploadId(upload)
                                .ifNoneMatch(ANY)
                                .multipartUpload(all -> all.parts(parts)));
                uploadId = null;
            }
        } catch (SdkException e) {
            Optional<String> there = markThere(S3Failures.status(e));
            if (there.isEmpty()) {
                throw S3Failures.of("write", store.place(), key, e);
            }
            if (!there.get().equals(mark.get(MARK))) {
                throw S3Failures.exists("write", store.place(), key);
            }
            uploadId = null;
        }
    }

    /**
     * Returns the mark of the existing object, if one may be the cause of a failure. The layers below repeat a request
     * whose answer was lost, and it then finds its own object, or its upload ended; and a store may hang up, without an
     * answer, on a request that it is about to refuse while it is still being sent.
     */
    private Optional<String> markThere(int status) {
        if (status != S3Failures.PRECONDITION_FAILED
                && status != S3Failures.NOT_FOUND
                && status != S3Failures.UNANSWERED) {
            return Optional.empty();
        }
        try {
            return Optional.of(store.client()
                    .headObject(head -> head.bucket(store.bucket()).key(store.name(key)))
                    .metadata()
                    .getOrDefault(MARK, ""));
        } catch (SdkException unknown) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        String upload = uploadId;
        if (upload != null) {
            try {
                store.client()
                        .abortMultipartUpload(abort -> abort.bucket(store.bucket())
                                .key(store.name(key))
                                .uploadId(upload));
            } catch (SdkException e) {
                LOG.warn("parts of {} stay in {}: {}", key, store.place(), e.getMessage());
            }
        }
        try {
            part.close();
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("what is left of an upload stays in {}: {}", file, e.toString());
        }
    }
}
