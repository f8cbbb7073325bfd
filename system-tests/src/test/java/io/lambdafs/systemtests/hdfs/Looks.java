package io.lambdafs.systemtests.hdfs;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;

/** Steps that change nothing. Used by one thread. */
final class Looks {
    private static final List<FsAction> ACTIONS = List.of(FsAction.values());

    private final Choices choices;

    Looks(Choices choices) {
        this.choices = choices;
    }

    Step status(User user) {
        Path path = choices.path();
        return new Step(user, "getFileStatus", path.toString(), (fs, open) -> Answers.of(fs.getFileStatus(path)));
    }

    static Step statusAfterFlush(User user, Path path) {
        return new Step(
                user, "getFileStatus after hflush", path.toString(), (fs, open) -> Answers.of(fs.getFileStatus(path)));
    }

    Step listing(User user) {
        Path path = choices.path();
        return new Step(user, "listStatus", path.toString(), (fs, open) -> Answers.of(fs.listStatus(path)));
    }

    Step open(User user) {
        Path path = choices.path();
        return new Step(user, "open", path.toString(), (fs, open) -> Answers.content(fs, path));
    }

    Step access(User user) {
        Path path = choices.path();
        FsAction action = choices.any(ACTIONS);
        return new Step(user, "access", path + ", " + action, (fs, open) -> {
            fs.access(path, action);
            return "allowed";
        });
    }

    Step acl(User user) {
        return acl(user, choices.path());
    }

    static Step acl(User user, Path path) {
        return new Step(user, "getAclStatus", path.toString(), (fs, open) -> Answers.of(fs.getAclStatus(path)));
    }

    Step contentSummary(User user) {
        Path path = choices.path();
        String name = choices.ofOpenFiles() ? "getContentSummary beside open files" : "getContentSummary";
        return new Step(user, name, path.toString(), (fs, open) -> Answers.of(fs.getContentSummary(path)));
    }

    Step exists(User user) {
        Path path = choices.path();
        return new Step(user, "exists", path.toString(), (fs, open) -> String.valueOf(fs.exists(path)));
    }

    /** The MD5 of MD5s for the superuser, and one CRC of the whole for others, as their configuration says. */
    Step checksum(User user) {
        return checksum(user, choices.path());
    }

    static Step checksum(User user, Path path) {
        return new Step(user, "getFileChecksum", path.toString(), (fs, open) -> Answers.of(fs.getFileChecksum(path)));
    }

    Step xattrs(User user) {
        Path path = choices.path();
        return new Step(user, "getXAttrs", path.toString(), (fs, open) -> Answers.of(fs.getXAttrs(path)));
    }

    /** Appends nothing, so that a file system without append keeps the same tree. */
    Step append(User user) {
        return append(user, choices.path());
    }

    static Step append(User user, Path path) {
        return new Step(user, "append", path.toString(), (fs, open) -> Changes.written(fs.append(path), ""));
    }

    @SuppressWarnings("deprecation") // Older programs ask these two.
    Step kinds(User user) {
        Path path = choices.path();
        return new Step(
                user,
                "isDirectory, isFile",
                path.toString(),
                (fs, open) -> fs.isDirectory(path) + ", " + fs.isFile(path));
    }

    /** Every file below, in the order of names: HDFS and λFS walk in different ones. */
    Step files(User user) {
        Path path = choices.path();
        boolean recursive = choices.random.nextBoolean();
        return new Step(user, "listFiles", path + (recursive ? ", recursive" : ""), (fs, open) -> {
            SortedMap<String, String> found = new TreeMap<>();
            RemoteIterator<LocatedFileStatus> files = fs.listFiles(path, recursive);
            while (files.hasNext()) {
                LocatedFileStatus each = files.next();
                found.put(each.getPath().toUri().getPath(), Answers.of(each));
            }
            return found.toString();
        });
    }
}
