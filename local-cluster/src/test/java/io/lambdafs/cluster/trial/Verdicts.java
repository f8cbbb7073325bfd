package io.lambdafs.cluster.trial;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.FileReader;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Compares what a trial's files hold with what their writers were told. For one thread. */
final class Verdicts {
    private final BlockingLambdaFs fs;
    private final List<String> wrong = new ArrayList<>();
    private int complete;
    private int incomplete;
    private int absent;

    Verdicts(BlockingLambdaFs fs) {
        this.fs = fs;
    }

    /** Looks at all of them once; what was found wrong before stays wrong. */
    void judge(Map<Integer, WriterProcess.Outcome> outcomes) throws InterruptedException {
        complete = 0;
        incomplete = 0;
        absent = 0;
        for (Map.Entry<Integer, WriterProcess.Outcome> each : outcomes.entrySet()) {
            TrialFile file = new TrialFile(each.getKey());
            boolean done = each.getValue().ending() == WriterProcess.Ending.DONE;
            try {
                judge(file, done);
            } catch (FsException e) {
                if (e.code() == ErrorCode.NOT_FOUND && !done) {
                    absent++;
                } else {
                    wrong.add(file.path() + " (" + each.getValue() + ") cannot be read: " + e.getMessage());
                }
            }
        }
    }

    private void judge(TrialFile file, boolean done) throws InterruptedException {
        try (FileReader reader = BlockingLambdaFs.await(fs.async().reader(file.path()))) {
            byte[] read = read(reader);
            byte[] written = file.content();
            INode.Content content = reader.attributes().content();
            boolean closed = content == INode.Content.BLOCKS || content == INode.Content.INLINE;
            if (closed) {
                complete++;
            } else {
                incomplete++;
            }
            if (done && !closed) {
                wrong.add(file.path() + " was completed, and shows as " + content);
            }
            if (closed && !Arrays.equals(read, written)) {
                wrong.add(file.path() + " shows as complete with " + read.length + " bytes, which are not the "
                        + written.length + " that were written");
            }
            if (!Arrays.equals(read, Arrays.copyOf(written, Math.min(read.length, written.length)))) {
                wrong.add(file.path() + " shows bytes that were not written");
            }
        }
    }

    static byte[] read(FileReader reader) throws InterruptedException {
        byte[] all = new byte[Math.toIntExact(reader.length())];
        int at = 0;
        while (at < all.length) {
            ByteBuffer part = BlockingLambdaFs.await(reader.read(at, Math.min(FileReader.MAX_LENGTH, all.length - at)));
            int length = part.remaining();
            part.get(all, at, length);
            at += length;
        }
        return all;
    }

    List<String> wrong() {
        return wrong;
    }

    @Override
    public String toString() {
        return complete + " files complete, " + incomplete + " incomplete, " + absent + " absent";
    }
}
