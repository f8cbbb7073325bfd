package io.lambdafs.door.hdfs.calls;

import io.lambdafs.rpc.auth.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;

/**
 * Seals block tokens, and opens those that clients bring back. A token contains everything that the data port needs to
 * know about a block, so any door of the cluster serves it. Clients carry it unread. Thread-safe.
 */
public final class BlockSeals {
    private static final Text KIND = new Text("HDFS_BLOCK_TOKEN");
    private static final byte VERSION = 1;
    private static final long LIFETIME_MILLIS = Duration.ofHours(1).toMillis();

    private final Secret secret;
    private final InstantSource clock;

    public BlockSeals(Secret secret) {
        this(secret, InstantSource.system());
    }

    BlockSeals(Secret secret, InstantSource clock) {
        this.secret = secret;
        this.clock = clock;
    }

    /**
     * The block that a token is for, and the use.
     *
     * @param write whether to write the block, of a file open at this door, instead of reading it
     * @param user for whom
     * @param file id
     * @param block id
     * @param offset of the block in its file
     * @param length of the block, or its maximum if it is being written
     */
    public record Sealed(boolean write, String user, String path, long file, long block, long offset, long length) {}

    Token<BlockTokenIdentifier> seal(Sealed what) {
        byte[] content = bytes(what, clock.millis() + LIFETIME_MILLIS);
        return new Token<>(content, secret.sign(content), KIND, new Text());
    }

    private static byte[] bytes(Sealed what, long until) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeLong(until);
            out.writeBoolean(what.write());
            out.writeUTF(what.user());
            out.writeUTF(what.path());
            out.writeLong(what.file());
            out.writeLong(what.block());
            out.writeLong(what.offset());
            out.writeLong(what.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** @throws InvalidBlockTokenException if it is not of this cluster, is too old, or is for another block or purpose */
    public Sealed open(byte[] content, byte[] seal, long block, boolean write) throws InvalidBlockTokenException {
        if (!MessageDigest.isEqual(secret.sign(content), seal)) {
            throw new InvalidBlockTokenException("the block token is not one of this cluster");
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
            if (in.readByte() != VERSION || in.readLong() < clock.millis()) {
                throw new InvalidBlockTokenException("the block token is too old");
            }
            Sealed what = new Sealed(
                    in.readBoolean(),
                    in.readUTF(),
                    in.readUTF(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong());
            if (what.block() != block || what.write() != write) {
                throw new InvalidBlockTokenException("the block token is for another block, or another use of it");
            }
            return what;
        } catch (InvalidBlockTokenException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidBlockTokenException("the block token is not one of this version");
        }
    }
}
