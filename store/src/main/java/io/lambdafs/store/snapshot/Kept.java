package io.lambdafs.store.snapshot;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;

/**
 * The entry of a version among those that its last snapshot keeps (PROTOCOL: V6). Immutable.
 *
 * @param owner first part of the version's key
 * @param version second part of that in {@link Schema#VERSIONS}; empty for one of {@link Schema#DIRECTORY_VERSIONS}
 * @param number of the last snapshot that could see it when it was copied
 * @param stamp snapshots up to this one do not see it
 * @param top the only directory whose snapshots may see it; 0 if unknown
 * @param heldId the file whose content it holds; 0 for none
 */
public record Kept(long owner, String version, long number, long stamp, long top, long heldId) {
    public static Kept of(Version version, long top) {
        return new Kept(
                version.node().parentId(),
                version.key().string(1),
                version.number(),
                version.node().stamp(),
                top,
                version.holdsContent() ? version.node().id() : 0);
    }

    public static Kept ofDirectory(long directoryId, long number, long top) {
        return new Kept(directoryId, "", number, 0, top, 0);
    }

    /** Returns its row under the last snapshot that sees the version. */
    public Row row(long snapshot) {
        return new Row(key(snapshot), owner, version, number, stamp, top, heldId);
    }

    public Key key(long snapshot) {
        String name =
                version.isEmpty() ? "d" + Version.hex(owner) + Version.hex(number) : "v" + Version.hex(owner) + version;
        return Schema.KEPT.key(snapshot, name);
    }

    public static Kept of(Row row) {
        return new Kept(row.int64(0), row.string(1), row.int64(2), row.int64(3), row.int64(4), row.int64(5));
    }

    /** Returns the key of the version. */
    public Key target() {
        return version.isEmpty() ? DirectoryVersion.key(owner, number) : Schema.VERSIONS.key(owner, version);
    }
}
