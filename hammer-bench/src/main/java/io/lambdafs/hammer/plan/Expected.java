package io.lambdafs.hammer.plan;

import io.lambdafs.model.inode.Attributes;
import org.jspecify.annotations.Nullable;

/** Compares attributes with the model's knowledge of a node. */
final class Expected {
    private Expected() {}

    /** Describes a difference; null if there is none. A directory's child count is not compared here. */
    static @Nullable String difference(ModelNode node, Attributes seen) {
        if (!seen.name().equals(node.name)) {
            return differs("name", node.name, seen.name());
        }
        boolean directory = node instanceof ModelDirectory;
        if (seen.isDirectory() != directory) {
            return differs("kind", directory ? "a directory" : "a file", seen.kind());
        }
        if (seen.mode() != node.mode) {
            return differs("mode", Integer.toOctalString(node.mode), Integer.toOctalString(seen.mode()));
        }
        return node instanceof ModelFile file ? fileDifference(file.body, seen) : null;
    }

    private static @Nullable String fileDifference(ModelFile.Body body, Attributes seen) {
        if (seen.size() != body.size()) {
            return differs("size", body.size(), seen.size());
        }
        if (seen.content() != body.content()) {
            return differs("content", body.content(), seen.content());
        }
        if (body.mtime() != ModelFile.ANY_TIME && seen.mtime() != body.mtime()) {
            return differs("mtime", body.mtime(), seen.mtime());
        }
        return null;
    }

    static String differs(String what, Object expected, Object seen) {
        return "expected " + what + " " + expected + ", got " + seen;
    }
}
