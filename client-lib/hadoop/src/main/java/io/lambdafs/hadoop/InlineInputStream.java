package io.lambdafs.hadoop;

import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/** Reads a file whose content came with its metadata: one moment's content, whatever happens to the file since. */
final class InlineInputStream extends LambdaInputStream {
    private final byte[] content;

    InlineInputStream(byte[] content, SharedClients.Use use, FileSystem.@Nullable Statistics statistics) {
        super(use, statistics);
        this.content = content;
    }

    @Override
    long length() {
        return content.length;
    }

    @Override
    int fetch(long from, ByteBuffer into) {
        int copied = (int) Math.min(into.remaining(), content.length - from);
        into.put(content, (int) from, copied);
        return copied;
    }
}
