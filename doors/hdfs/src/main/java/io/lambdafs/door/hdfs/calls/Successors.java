package io.lambdafs.door.hdfs.calls;

import io.lambdafs.client.FileWriter;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.OpenFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the file that a client writes, and takes it over where it was opened at another door, which is lost: everything
 * that was acknowledged there is durable. The client shows by its block which writer lease it had; if another writer has
 * taken the file since, or closed it for this one, it cannot go on. One for all calls of a door, so that a file is taken
 * over once. Thread-safe.
 */
public final class Successors {
    private static final long FIRST_GENERATION = 1;

    private final Users users;
    private final WrittenFiles written;
    private final BlockMap blocks;
    private final CallIds ids;

    public Successors(Users users, WrittenFiles written, BlockMap blocks, CallIds ids) {
        this.ids = ids;
        this.users = users;
        this.written = written;
        this.blocks = blocks;
    }

    /**
     * A client, and the file that it says to write.
     *
     * @param id 0 of an old client, which knows only the path
     */
    record Claim(long id, String path, String client) {}

    /** @param block the last one that the client has; null before the first */
    WrittenFile of(Claim claim, @Nullable ExtendedBlock block) throws IOException {
        WrittenFile known;
        try {
            known = written.of(claim.id(), claim.path(), Users.caller(), claim.client());
        } catch (FileNotFoundException unknown) {
            if (claim.id() == 0 || !blocks.hasOthers()) {
                throw unknown;
            }
            return takenOver(claim, block, unknown);
        }
        if (block == null || !blocks.hasOthers() || !known.isBehind(block)) {
            return known;
        }
        written.leave(known);
        return of(claim, block);
    }

    private synchronized WrittenFile takenOver(
            Claim claim, @Nullable ExtendedBlock block, FileNotFoundException unknown) throws IOException {
        if (written.has(claim.id())) {
            return written.of(claim.id(), claim.path(), Users.caller(), claim.client());
        }
        LambdaFs fs = users.ofCaller().client();
        FsPath path = Names.path(claim.path());
        Attributes file = Failures.await(fs.stat(path), claim.path());
        if (file.id() != claim.id()) {
            throw unknown;
        }
        WrittenFile.Opening opening =
                new WrittenFile.Opening(claim.client(), Users.caller(), path, BlockMap.blockSize(file), true);
        boolean closed = file.content() != INode.Content.WRITING && file.content() != INode.Content.NONE;
        if (closed && block == null) {
            throw unknown;
        }
        // Of a closed file its client can only hear that it is: the writer is never used.
        FileWriter writer =
                closed ? fs.writer(path, new OpenFile(claim.id(), 0)) : writer(fs, claim, stamp(block), file);
        if (writer == null) {
            throw unknown;
        }
        WrittenFile taken = block == null
                ? new WrittenFile(opening, writer)
                : new WrittenFile(
                        opening, writer, begun(block, closed ? file.size() : writer.startLength(), closed), blocks);
        written.add(taken);
        return taken;
    }

    /** Returns the generation of the lease that the client's door had. */
    private static long stamp(@Nullable ExtendedBlock block) {
        return block == null ? 0 : block.getGenerationStamp() - 1;
    }

    private static WrittenFile.Begun begun(ExtendedBlock block, long length, boolean closed) throws IOException {
        long offset = BlockPlace.of(block).offset();
        if (offset < 0 || length < offset) {
            throw new IOException(block + " begins at " + offset + ", and of its file " + length + " bytes are there");
        }
        return new WrittenFile.Begun(block, offset, length - offset, closed);
    }

    /** Takes the lease under the call's own id: who repeats the call, at any door, gets the same lease again. */
    private @Nullable FileWriter writer(LambdaFs fs, Claim claim, long told, Attributes file) throws IOException {
        FsPath path = Names.path(claim.path());
        if (file.content() == INode.Content.NONE) {
            // Nothing was acknowledged, and there is no lease yet.
            return told == 0 ? fs.writer(path, new OpenFile(claim.id(), 0)) : null;
        }
        try {
            long lost = Math.max(FIRST_GENERATION, told);
            return Failures.await(fs.successor(path, claim.id(), lost, ids.ofCall()), claim.path());
        } catch (IOException e) {
            if (Names.isCode(e, ErrorCode.STALE_GENERATION)) {
                return null;
            }
            throw e;
        }
    }

    /** Returns whether a file was opened at another door, where everything that was acknowledged is durable. */
    boolean isDurable(Claim claim) throws IOException {
        return isElsewhere(claim)
                && Failures.await(users.ofCaller().client().stat(Names.path(claim.path())), claim.path())
                                .id()
                        == claim.id();
    }

    private boolean isElsewhere(Claim claim) {
        return claim.id() != 0 && blocks.hasOthers() && !written.has(claim.id());
    }

    /** Returns whether a file that nobody writes is the one that its client asks to close, as long as that says. */
    boolean isClosed(Claim claim, @Nullable ExtendedBlock last) throws IOException {
        if (!isElsewhere(claim)) {
            return false;
        }
        Attributes file = Failures.await(users.ofCaller().client().stat(Names.path(claim.path())), claim.path());
        long length = last == null ? 0 : BlockPlace.of(last).offset() + last.getNumBytes();
        return file.id() == claim.id() && file.content() != INode.Content.WRITING && file.size() == length;
    }
}
