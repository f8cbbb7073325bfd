package io.lambdafs.systemtests.hdfs;

import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.params.provider.Arguments;

/** Sequences on files that are open, which random rounds meet too seldom. Stateless. */
final class OpenFileSequences {
    private static final Path PATH = new Path("/tmp/open");
    private static final Path MISSING = new Path("/tmp/missing");
    private static final String GONE = "FileNotFoundException";
    private static final String WRITTEN_BY_ANOTHER = "RemoteException of AlreadyBeingCreatedException";
    private static final String EXPIRED = "RemoteException of LeaseExpiredException";
    private static final String STATUS =
            "file u1:supergroup 0644 mtime now atime now length %d replication 1 block 1048576";

    private OpenFileSequences() {}

    /** Steps, what HDFS answers to the last, and what λFS does. */
    static Stream<Arguments> sequences() {
        return Stream.of(ofEmptyFiles(), ofFilesWithContent(), ofAppends()).flatMap(each -> each);
    }

    private static Stream<Arguments> ofAppends() {
        Step made = Changes.create(User.U1, PATH, 0644, false);
        Step writable = Changes.setPermission(User.U1, PATH, 0622);
        Step begin = OpenFileSteps.append(User.U1, PATH, "");
        Step taken = OpenFileSteps.recoverLease(User.U1, PATH);
        String denied = "AccessControlException";
        return Stream.of(
                Arguments.of(List.of(made, writable, OpenFileSteps.append(User.U2, PATH, "")), OpenFile.BEGUN, denied),
                Arguments.of(List.of(made, writable, OpenFileSteps.append(User.U2, PATH, "a")), "synced", denied),
                Arguments.of(
                        List.of(made, begin, taken, OpenFileSteps.end(User.U1, "y")),
                        "RemoteException of IOException",
                        "IOException"),
                Arguments.of(
                        List.of(made, begin, taken, OpenFileSteps.sync(User.U1, "y")),
                        "RemoteException of IOException",
                        "IOException"),
                Arguments.of(
                        List.of(
                                OpenFileSteps.begin(User.U2, MISSING, 0644, false, "abc"),
                                OpenFileSteps.end(User.U2, "y"),
                                OpenFileSteps.begin(User.U1, PATH, 0644, false),
                                Changes.concat(User.ROOT, PATH, MISSING)),
                        "RemoteException of HadoopIllegalArgumentException",
                        "moved"));
    }

    private static Stream<Arguments> ofEmptyFiles() {
        Step begin = OpenFileSteps.begin(User.U1, PATH, 0644, false);
        Step closed = OpenFileSteps.end(User.U1, "");
        Step taken = OpenFileSteps.recoverLease(User.ROOT, PATH);
        Step moved = Changes.renameWithOptions(User.ROOT, PATH, MISSING);
        Step sync = OpenFileSteps.sync(User.U1, "z");
        Step end = OpenFileSteps.end(User.U1, "y");
        return Stream.of(
                Arguments.of(List.of(begin, OpenFileSteps.isFileClosed(User.U2, PATH)), "false", "true"),
                Arguments.of(
                        List.of(begin, OpenFileSteps.append(User.ROOT, PATH, "")), WRITTEN_BY_ANOTHER, OpenFile.BEGUN),
                Arguments.of(List.of(begin, OpenFileSteps.append(User.ROOT, PATH, "a")), WRITTEN_BY_ANOTHER, "synced"),
                Arguments.of(List.of(begin, Changes.truncate(User.U1, PATH, 0)), WRITTEN_BY_ANOTHER, "true"),
                Arguments.of(
                        List.of(begin, Changes.truncate(User.U1, PATH, 100)), WRITTEN_BY_ANOTHER, "PathIOException"),
                Arguments.of(
                        List.of(begin, Changes.concat(User.ROOT, PATH, MISSING)),
                        "RemoteException of HadoopIllegalArgumentException",
                        GONE),
                Arguments.of(List.of(begin, taken, sync), EXPIRED, "PathIOException"),
                Arguments.of(List.of(begin, taken, end), EXPIRED, "PathIOException"),
                Arguments.of(List.of(begin, taken, moved, sync), EXPIRED, GONE),
                Arguments.of(List.of(begin, taken, moved, end), EXPIRED, GONE),
                Arguments.of(
                        List.of(begin, closed, OpenFileSteps.recoverLease(User.U2, PATH)),
                        "true",
                        "AccessControlException"));
    }

    private static Stream<Arguments> ofFilesWithContent() {
        Step begin = OpenFileSteps.begin(User.U1, PATH, 0644, false, "abc");
        Step taken = OpenFileSteps.recoverLease(User.ROOT, PATH);
        Step deleted = Changes.delete(User.ROOT, PATH);
        Step sync = OpenFileSteps.sync(User.U1, "z");
        Step end = OpenFileSteps.end(User.U1, "y");
        Step flushed = OpenFileSteps.begin(User.U1, PATH, 0644, false);
        return Stream.of(
                Arguments.of(
                        List.of(
                                flushed,
                                OpenFileSteps.flush(User.U1, "abc"),
                                OpenFileSteps.flush(User.U1, "de"),
                                Looks.statusAfterFlush(User.U2, PATH)),
                        STATUS.formatted(3),
                        STATUS.formatted(5)),
                Arguments.of(List.of(begin, taken), "false", "true"),
                Arguments.of(List.of(begin, taken, deleted, sync), "IOException", GONE),
                Arguments.of(List.of(begin, taken, deleted, end), "IOException", GONE),
                Arguments.of(List.of(begin, deleted, sync), "RemoteException of " + GONE, GONE),
                Arguments.of(List.of(begin, deleted, end), "RemoteException of " + GONE, GONE),
                Arguments.of(List.of(begin, end, Changes.truncate(User.U1, PATH, 2)), "false", "true"),
                Arguments.of(List.of(begin, Changes.truncate(User.U1, PATH, 2)), WRITTEN_BY_ANOTHER, "IOException"),
                Arguments.of(
                        List.of(begin, OpenFileSteps.append(User.ROOT, PATH, "a")), WRITTEN_BY_ANOTHER, "IOException"));
    }
}
