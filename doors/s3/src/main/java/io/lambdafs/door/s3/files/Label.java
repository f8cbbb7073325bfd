package io.lambdafs.door.s3.files;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.model.inode.Attributes;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object's properties that a file lacks: JSON in the file's extended attribute {@value #XATTR}. It counts as long
 * as the file has the length and the time that it had when it was published. Immutable.
 *
 * @param id of the file; a copy by another door has another
 * @param mtime of the file, in milliseconds since 1970
 * @param etag without quotes
 * @param upload the id of the upload in parts that made it; null if none did
 * @param headers like {@code content-type}; a character is a byte
 * @param metadata of the user, by names without {@code x-amz-meta-}; a character is a byte
 * @param checksums by names like {@code crc32}, as headers have them
 * @param parts the lengths of the parts, separated by commas; null if it was not made of parts
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Label(
        long id,
        long size,
        long mtime,
        String etag,
        @Nullable String upload,
        Map<String, String> headers,
        Map<String, String> metadata,
        Map<String, String> checksums,
        @Nullable String parts) {
    static final String XATTR = "user.s3";

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
    // file.
    public Label(
            long id,
            long size,
            long mtime,
            String etag,
            @Nullable String upload,
            @Nullable Map<String, String> headers,
            @Nullable Map<String, String> metadata,
            @Nullable Map<String, String> checksums,
            @Nullable String parts) {
        this.id = id;
        this.size = size;
        this.mtime = mtime;
        this.etag = etag;
        this.upload = upload;
        this.headers = headers == null ? Map.of() : Map.copyOf(headers);
        this.metadata = metadata == null ? Map.of() : Map.copyOf(metadata);
        this.checksums = checksums == null ? Map.of() : Map.copyOf(checksums);
        this.parts = parts;
    }

    /** Returns the label of a file. */
    public Label of(Attributes file) {
        return new Label(file.id(), file.size(), file.mtime(), etag, upload, headers, metadata, checksums, parts);
    }

    boolean isOf(Attributes file) {
        return file.size() == size && file.mtime() == mtime;
    }

    public byte[] json() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (JacksonException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads an attribute's value; empty if it is none of this door's. */
    static Optional<Label> read(byte @Nullable [] value) {
        try {
            return value == null ? Optional.empty() : Optional.of(JSON.readValue(value, Label.class));
        } catch (IOException | RuntimeException foreign) {
            return Optional.empty();
        }
    }
}
