package io.lambdafs.rpc.http.body;

import java.util.concurrent.CompletionStage;

/** The body of a reply, made while it is sent. For one reply. */
public interface ReplySource extends AutoCloseable {
    /** Returns the length of the whole body in bytes. */
    long length();

    /**
     * Returns the next piece, of at least one byte. Asked for when the peer has taken the one before, until the length is
     * reached; a failure ends the connection, since the reply has begun.
     */
    CompletionStage<byte[]> next();

    /** Releases what it holds. Called once, at the end. */
    @Override
    void close();
}
