package io.lambdafs.systemtests.hdfs;

import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** Steps on files that stay open: what happens to them until they are closed is up to others. Used by one thread. */
final class OpenFileSteps {
    private final Choices choices;

    OpenFileSteps(Choices choices) {
        this.choices = choices;
    }

    Step begin(User user) {
        return begin(user, choices.path(), choices.mode().toShort(), choices.random.nextBoolean());
    }

    /** Begins a new, empty file. */
    static Step begin(User user, Path path, int bits, boolean overwrite) {
        return begin(user, path, bits, overwrite, "");
    }

    Step beginSynced(User user) {
        return begin(user, choices.path(), choices.mode().toShort(), choices.random.nextBoolean(), content("s"));
    }

    /** @param content what others see while it is open; if empty, nothing is synced */
    static Step begin(User user, Path path, int bits, boolean overwrite, String content) {
        FsPermission mode = new FsPermission((short) bits);
        return new Step(
                user,
                "create and keep open",
                path + ", " + Changes.octal(mode) + (overwrite ? ", overwrite" : "")
                        + (content.isEmpty() ? "" : ", hsync \"" + content + '"'),
                (fs, open) -> {
                    String begun = open.begin(
                            () -> fs.create(path, mode, overwrite, Changes.BUFFER, (short) 1, Changes.BLOCK, null));
                    return content.isEmpty() || !begun.equals(OpenFile.BEGUN) ? begun : open.sync(content);
                });
    }

    Step append(User user) {
        return append(user, choices.path(), choices.random.nextInt(3) == 0 ? "" : content("a"));
    }

    /** @param content what is added and synced; if empty, nothing */
    static Step append(User user, Path path, String content) {
        String synced = content.isEmpty() ? "" : ", hsync \"" + content + '"';
        return new Step(user, "append and keep open", path + synced, (fs, open) -> {
            String begun = open.begin(() -> fs.append(path));
            return content.isEmpty() || !begun.equals(OpenFile.BEGUN) ? begun : open.sync(content);
        });
    }

    Step sync(User user) {
        return sync(user, content("z"));
    }

    /** Others see the content, and how long the file is. */
    static Step sync(User user, String content) {
        return new Step(user, "hsync", '"' + content + '"', (fs, open) -> open.sync(content));
    }

    /** Others see the content; how long the file is HDFS does not tell yet. */
    static Step flush(User user, String content) {
        return new Step(user, "hflush", '"' + content + '"', (fs, open) -> open.flush(content));
    }

    Step end(User user) {
        return end(user, content("y"));
    }

    static Step end(User user, String content) {
        return new Step(user, "close", '"' + content + '"', (fs, open) -> open.end(content));
    }

    private String content(String letter) {
        return letter.repeat(1 + choices.random.nextInt(9));
    }

    Step recoverLease(User user) {
        return recoverLease(user, choices.path());
    }

    /** Answers what the first call does, and ends when the file is closed. */
    static Step recoverLease(User user, Path path) {
        return new Step(user, "recoverLease", path.toString(), (fs, open) -> {
            LeaseRecoverable leases = (LeaseRecoverable) fs;
            boolean closed = leases.recoverLease(path);
            if (!closed) {
                open.settle(() -> leases.recoverLease(path));
            }
            return String.valueOf(closed);
        });
    }

    Step isFileClosed(User user) {
        return isFileClosed(user, choices.path());
    }

    static Step isFileClosed(User user, Path path) {
        return new Step(
                user,
                "isFileClosed",
                path.toString(),
                (fs, open) -> String.valueOf(((LeaseRecoverable) fs).isFileClosed(path)));
    }
}
