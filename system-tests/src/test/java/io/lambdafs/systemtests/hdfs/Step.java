package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;

/**
 * One operation that a user asks for.
 *
 * @param operation its name in Hadoop's {@code FileSystem}; of a file that stays open for a while, those of {@link OpenFileSteps}
 * @param arguments for people
 * @param call what is asked, and its answer as text
 */
record Step(User user, String operation, String arguments, Call call) {
    /** The call of a step. */
    @FunctionalInterface
    interface Call {
        String on(FileSystem fs, OpenFile open) throws IOException;
    }

    /** Returns whether it makes its user the writer of a file. */
    boolean makesWriter() {
        return operation.startsWith("append") || operation.startsWith("create");
    }

    String answer(FileSystem fs, OpenFile open) {
        try {
            return call.on(fs, open);
        } catch (IOException | RuntimeException failure) {
            return Answers.of(failure);
        }
    }

    @Override
    public String toString() {
        return user + " " + operation + "(" + arguments + ")";
    }
}
