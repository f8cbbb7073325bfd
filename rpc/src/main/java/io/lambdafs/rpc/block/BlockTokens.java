package io.lambdafs.rpc.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.auth.Secret;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Creates and verifies block tokens: the fields, then 32 bytes of HMAC-SHA256 under a key derived from the cluster's
 * secret, so a token cannot be modified. Any instance creates them, any datanode verifies them. Thread-safe.
 */
public final class BlockTokens {
    public static final int MAX_BYTES = 512;
    /** The maximum length of a block store's name. */
    public static final int MAX_STORE_CHARS = 128;

    private static final int VERSION = 1;
    /** Stands in place of a token's mode: no receipt is a token, and no token a receipt. */
    private static final int RECEIPT = 3;

    private static final int SIGNATURE_BYTES = 32;

    private final @Nullable Secret secret;
    private final InstantSource clock;

    private BlockTokens(@Nullable Secret secret, InstantSource clock) {
        this.secret = secret;
        this.clock = clock;
    }

    /**
     * Returns the tokens of a cluster.
     *
     * @param cluster its secret; null in insecure mode, in which anyone can create tokens
     */
    public static BlockTokens of(@Nullable Secret cluster, InstantSource clock) {
        return new BlockTokens(cluster == null ? null : cluster.derived("block-tokens"), clock);
    }

    /** Creates a token. */
    public byte[] mint(BlockToken token) {
        WireWriter out = new WireWriter(MAX_BYTES);
        out.writeByte(VERSION);
        out.writeByte(token.mode().number());
        token.block().write(out);
        out.writeString(token.store());
        out.writeString(token.key());
        out.writeLong(token.expiryMillis());
        byte[] claims = out.toByteArray();
        byte[] signed = Arrays.copyOf(claims, claims.length + SIGNATURE_BYTES);
        if (secret != null) {
            System.arraycopy(secret.sign(claims), 0, signed, claims.length, SIGNATURE_BYTES);
        }
        if (signed.length > MAX_BYTES) {
            throw FsException.invalidArgument("the block store's name is too long for a block token");
        }
        return signed;
    }

    /**
     * Verifies a token.
     *
     * @throws FsException {@code UNAUTHENTICATED}: this cluster did not create it; {@code PERMISSION_DENIED}: it is for
     *     the other mode; {@code TOKEN_EXPIRED}
     */
    public BlockToken verify(byte[] token, BlockToken.Mode wanted) {
        int end = token.length - SIGNATURE_BYTES;
        if (end <= 0 || token.length > MAX_BYTES) {
            throw unauthenticated();
        }
        if (secret != null) {
            byte[] expected = secret.sign(Arrays.copyOf(token, end));
            if (!MessageDigest.isEqual(expected, Arrays.copyOfRange(token, end, token.length))) {
                throw unauthenticated();
            }
        }
        BlockToken parsed = parse(token, end);
        if (parsed.mode() != wanted) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "the token of " + parsed.block().label() + " is for " + parsed.mode() + ", not for " + wanted);
        }
        if (clock.millis() >= parsed.expiryMillis()) {
            throw new FsException(
                    ErrorCode.TOKEN_EXPIRED,
                    "the token of " + parsed.block().label()
                            + " has expired: open the file again, and check both clocks");
        }
        return parsed;
    }

    /**
     * Creates a datanode's receipt: the signature of a block that it has made durable as one object.
     *
     * @param written with its length and its checksum
     */
    public byte[] receipt(Block written, String store, String key) {
        WireWriter out = new WireWriter(MAX_BYTES);
        out.writeByte(VERSION);
        out.writeByte(RECEIPT);
        written.write(out);
        out.writeString(store);
        out.writeString(key);
        return secret == null ? new byte[SIGNATURE_BYTES] : secret.sign(out.toByteArray());
    }

    /**
     * Returns whether a receipt is this cluster's for exactly that object; in insecure mode, in which anyone can create
     * one, always true.
     */
    public boolean isReceipt(byte[] receipt, Block written, String store, String key) {
        return secret == null || MessageDigest.isEqual(receipt(written, store, key), receipt);
    }

    private static BlockToken parse(byte[] token, int end) {
        try {
            WireReader in = new WireReader(token, 0, end);
            int version = in.readByte();
            int number = in.readByte();
            Block block = Block.read(in);
            String store = in.readString();
            String key = in.readString();
            long expiryMillis = in.readLong();
            in.expectEnd();
            BlockToken.Mode mode = null;
            for (BlockToken.Mode candidate : BlockToken.Mode.values()) {
                mode = candidate.number() == number ? candidate : mode;
            }
            if (version != VERSION || mode == null || store.length() > MAX_STORE_CHARS || !ObjectKey.isValid(key)) {
                throw unauthenticated();
            }
            return new BlockToken(mode, block, store, key, expiryMillis);
        } catch (FsException malformed) {
            throw unauthenticated();
        }
    }

    private static FsException unauthenticated() {
        return new FsException(
                ErrorCode.UNAUTHENTICATED,
                "the block token is not of this cluster: check that instances and datanodes have the same secret");
    }
}
