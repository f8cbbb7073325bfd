package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.jspecify.annotations.Nullable;

/** The file that a user has made, or appends to, and has not closed yet, at most one. Used by one thread. */
final class OpenFile {
    static final String BEGUN = "begun";

    private final Progress progress;
    private @Nullable FSDataOutputStream stream;

    /** Lets the servers go on with what they would do a while later. */
    @FunctionalInterface
    interface Progress {
        void make() throws IOException;
    }

    /** Opens a file. */
    @FunctionalInterface
    interface Maker {
        FSDataOutputStream make() throws IOException;
    }

    /** Something that becomes true. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException;
    }

    OpenFile(Progress progress) {
        this.progress = progress;
    }

    String begin(Maker maker) throws IOException {
        if (stream != null) {
            return "another is open";
        }
        stream = maker.make();
        return BEGUN;
    }

    private interface Sync {
        void of(FSDataOutputStream stream) throws IOException;
    }

    /** Others see the content, and how long the file is: without being asked for that, HDFS does not tell it. */
    String sync(String content) throws IOException {
        return sync(content, open -> {
            if (open instanceof HdfsDataOutputStream hdfs) {
                hdfs.hsync(EnumSet.of(HdfsDataOutputStream.SyncFlag.UPDATE_LENGTH));
            } else {
                open.hsync();
            }
        });
    }

    String flush(String content) throws IOException {
        return sync(content, FSDataOutputStream::hflush);
    }

    /** A stream that fails is given up. */
    private String sync(String content, Sync sync) throws IOException {
        FSDataOutputStream open = stream;
        if (open == null) {
            return "none is open";
        }
        try {
            open.write(content.getBytes(StandardCharsets.UTF_8));
            sync.of(open);
            return "synced";
        } catch (IOException failure) {
            forget();
            throw failure;
        }
    }

    String end(String content) throws IOException {
        FSDataOutputStream ending = stream;
        if (ending == null) {
            return "none is open";
        }
        stream = null;
        return Changes.written(ending, content);
    }

    void settle(Condition settled) throws IOException {
        while (!settled.holds()) {
            progress.make();
        }
    }

    /** Closes it, whatever has become of it. */
    void forget() {
        try {
            end("");
        } catch (IOException gone) {
            // So it is no more.
        }
    }
}
