package io.lambdafs.rpc.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.auth.Secret;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockTokensTest {
    private static final Secret SECRET = Secret.of("a cluster");
    private static final Block BLOCK = new Block(42, 7, 128 << 20, 0);

    private long now = 1_000;
    private final InstantSource clock = () -> Instant.ofEpochMilli(now);
    private final BlockTokens tokens = BlockTokens.of(SECRET, clock);

    private static BlockToken token(BlockToken.Mode mode) {
        return new BlockToken(mode, BLOCK, "blocks", ObjectKey.of(42, 7, 99), 5_000);
    }

    private static void assertRefused(ErrorCode code, ThrowingCallable verification) {
        assertThatThrownBy(verification)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void shouldReadBackWhatAnotherInstanceMade() {
        byte[] minted = BlockTokens.of(SECRET, clock).mint(token(BlockToken.Mode.WRITE));

        assertThat(tokens.verify(minted, BlockToken.Mode.WRITE)).isEqualTo(token(BlockToken.Mode.WRITE));
        assertThat(minted.length).isLessThan(128);
    }

    @Test
    void shouldRefuseEveryChangeOfAToken() {
        byte[] minted = tokens.mint(token(BlockToken.Mode.READ));
        for (int i = 0; i < minted.length; i++) {
            byte[] changed = minted.clone();
            changed[i] ^= 1;
            assertRefused(ErrorCode.UNAUTHENTICATED, () -> tokens.verify(changed, BlockToken.Mode.READ));
        }
        assertRefused(ErrorCode.UNAUTHENTICATED, () -> tokens.verify(new byte[0], BlockToken.Mode.READ));
        assertRefused(ErrorCode.UNAUTHENTICATED, () -> tokens.verify(new byte[32], BlockToken.Mode.READ));
    }

    @Test
    void shouldRefuseATokenOfAnotherClusterOrWithoutASecret() {
        byte[] other = BlockTokens.of(Secret.of("another"), clock).mint(token(BlockToken.Mode.READ));
        byte[] insecure = BlockTokens.of(null, clock).mint(token(BlockToken.Mode.READ));

        assertRefused(ErrorCode.UNAUTHENTICATED, () -> tokens.verify(other, BlockToken.Mode.READ));
        assertRefused(ErrorCode.UNAUTHENTICATED, () -> tokens.verify(insecure, BlockToken.Mode.READ));
        assertThat(BlockTokens.of(null, clock).verify(insecure, BlockToken.Mode.READ))
                .isEqualTo(token(BlockToken.Mode.READ));
    }

    @Test
    void shouldRefuseATokenForTheOtherModeOrThatHasExpired() {
        byte[] minted = tokens.mint(token(BlockToken.Mode.READ));

        assertRefused(ErrorCode.PERMISSION_DENIED, () -> tokens.verify(minted, BlockToken.Mode.WRITE));
        now = 5_000;
        assertRefused(ErrorCode.TOKEN_EXPIRED, () -> tokens.verify(minted, BlockToken.Mode.READ));
    }

    @Test
    void shouldKnowAReceiptOfJustTheBlockThatWasWritten() {
        String key = ObjectKey.of(42, 7, 99);
        Block written = new Block(42, 7, 1_000, 5);
        byte[] receipt = BlockTokens.of(SECRET, clock).receipt(written, "blocks", key);

        assertThat(tokens.isReceipt(receipt, written, "blocks", key)).isTrue();
        for (Block other : List.of(
                new Block(43, 7, 1_000, 5),
                new Block(42, 8, 1_000, 5),
                new Block(42, 7, 1_001, 5),
                new Block(42, 7, 999, 5),
                new Block(42, 7, 1_000, 6))) {
            assertThat(tokens.isReceipt(receipt, other, "blocks", key))
                    .as("%s", other)
                    .isFalse();
        }
        assertThat(tokens.isReceipt(receipt, written, "others", key)).isFalse();
        assertThat(tokens.isReceipt(receipt, written, "blocks", ObjectKey.of(42, 7, 98)))
                .isFalse();
        for (int i = 0; i < receipt.length; i++) {
            byte[] changed = receipt.clone();
            changed[i] ^= 1;
            assertThat(tokens.isReceipt(changed, written, "blocks", key)).isFalse();
        }
    }

    @Test
    void shouldRefuseAReceiptOfAnotherClusterOrWithoutASecret() {
        String key = ObjectKey.of(42, 7, 99);
        byte[] other = BlockTokens.of(Secret.of("another"), clock).receipt(BLOCK, "blocks", key);
        byte[] insecure = BlockTokens.of(null, clock).receipt(BLOCK, "blocks", key);

        assertThat(tokens.isReceipt(other, BLOCK, "blocks", key)).isFalse();
        assertThat(tokens.isReceipt(insecure, BLOCK, "blocks", key)).isFalse();
        assertThat(tokens.isReceipt(new byte[0], BLOCK, "blocks", key)).isFalse();
        assertThat(BlockTokens.of(null, clock).isReceipt(insecure, BLOCK, "blocks", key))
                .isTrue();
    }

    /** Both are signed under one key. */
    @ParameterizedTest
    @EnumSource(BlockToken.Mode.class)
    void shouldTakeNoTokenForAReceipt(BlockToken.Mode mode) {
        byte[] minted = tokens.mint(token(mode));
        byte[] signature = Arrays.copyOfRange(minted, minted.length - 32, minted.length);

        assertThat(tokens.isReceipt(signature, BLOCK, "blocks", ObjectKey.of(42, 7, 99)))
                .isFalse();
    }

    @Test
    void shouldRefuseAKeyThatLeavesTheStore() {
        BlockToken climbing = new BlockToken(BlockToken.Mode.READ, BLOCK, "blocks", "blocks/../../etc/passwd", 5_000);

        assertRefused(ErrorCode.UNAUTHENTICATED, () -> tokens.verify(tokens.mint(climbing), BlockToken.Mode.READ));
    }
}
