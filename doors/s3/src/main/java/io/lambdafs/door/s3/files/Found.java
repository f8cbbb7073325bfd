package io.lambdafs.door.s3.files;

import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.SeenFile;
import java.util.Map;
import java.util.Optional;

/**
 * An object as it was found. Immutable.
 *
 * @param label empty if another door wrote or changed the file
 * @param tags as they are kept; empty for none
 */
public record Found(Attributes file, Optional<Label> label, Map<String, String> tags) {
    public Found {
        tags = Map.copyOf(tags);
    }

    /** Returns the ETag, without quotes: of a file that another door wrote, one that changes with it. */
    public String etag() {
        return label.map(Label::etag).orElseGet(() -> "%x-%x-%x".formatted(file.id(), file.mtime(), file.size()));
    }

    public long size() {
        return file.size();
    }

    /** Returns when it was last changed, in milliseconds since 1970. */
    public long time() {
        return file.mtime();
    }

    public SeenFile seen() {
        return SeenFile.of(file);
    }
}
