package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.jspecify.annotations.Nullable;

/** The file that a user has made and not closed yet, at most one. Used by one thread. */
final class OpenFile {
    private @Nullable FSDataOutputStream stream;

    /** Makes a file. */
    @FunctionalInterface
    interface Maker {
        FSDataOutputStream make() throws IOException;
    }

    String begin(Maker maker) throws IOException {
        if (stream != null) {
            return "another is open";
        }
        stream = maker.make();
        return "begun";
    }

    String end(String content) throws IOException {
        FSDataOutputStream ending = stream;
        if (ending == null) {
            return "none is open";
        }
        stream = null;
        return Changes.written(ending, content);
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
