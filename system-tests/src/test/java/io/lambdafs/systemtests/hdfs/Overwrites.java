package io.lambdafs.systemtests.hdfs;

import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.params.provider.Arguments;

/** Sequences that random rounds meet too seldom: what belongs to others is overwritten, is open, or is a file in the middle of a path. Stateless. */
final class Overwrites {
    private static final String DENIED = "AccessControlException";

    private Overwrites() {}

    /** Steps, what HDFS answers to the last, and what λFS does. */
    static Stream<Arguments> sequences() {
        Path taken = new Path("/tmp/taken");
        Path own = new Path("/tmp/own");
        Step file = Changes.create(User.U1, taken, 0666, false);
        Step writable = Changes.setPermission(User.U1, taken, 0666);
        Step ownFile = Changes.create(User.U2, own, 0644, false);
        Step directory = Changes.mkdirs(User.U1, taken, 0777);
        Step ownDirectory = Changes.mkdirs(User.U2, own, 0755);
        Step inDirectory = Changes.create(User.U1, new Path(taken, "file"), 0644, false);
        Step rename = Changes.renameWithOptions(User.U2, own, taken, Options.Rename.OVERWRITE);
        return Stream.of(
                Arguments.of(List.of(file, writable, Changes.create(User.U2, taken, 0644, true)), "written", DENIED),
                Arguments.of(List.of(file, writable, OpenFileSteps.begin(User.U2, taken, 0644, true)), "begun", DENIED),
                Arguments.of(
                        List.of(file, writable, OpenFileSteps.begin(User.U2, taken, 0644, true, "abc")),
                        "synced",
                        DENIED),
                Arguments.of(List.of(file, writable, ownFile, rename), "renamed", DENIED),
                Arguments.of(
                        List.of(directory, inDirectory, ownDirectory, rename),
                        "RemoteException of IOException",
                        DENIED),
                Arguments.of(
                        List.of(ownDirectory, Changes.create(User.U2, taken, 0644, false), rename),
                        "RemoteException of IOException",
                        "ParentNotDirectoryException"),
                Arguments.of(
                        List.of(
                                OpenFileSteps.begin(User.U1, taken, 0600, false),
                                Changes.create(User.U2, taken, 0644, false)),
                        "RemoteException of AlreadyBeingCreatedException",
                        "FileAlreadyExistsException"),
                Arguments.of(
                        List.of(OpenFileSteps.begin(User.U1, taken, 0600, false), Looks.append(User.U1, taken)),
                        "RemoteException of AlreadyBeingCreatedException",
                        "written"),
                Arguments.of(
                        List.of(OpenFileSteps.begin(User.U1, taken, 0600, false), Looks.checksum(User.U1, taken)),
                        "IOException",
                        "MD5-of-0MD5-of-0CRC32 00000000000000000000000070bc8f4b72a86921468bf8e8441dce51"),
                Arguments.of(
                        List.of(file, Looks.acl(User.ROOT, new Path(taken, "file"))), DENIED, "FileNotFoundException"));
    }
}
