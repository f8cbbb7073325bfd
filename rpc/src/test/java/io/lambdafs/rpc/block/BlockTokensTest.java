package io.lambdafs.rpc.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.Block;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.ObjectKey;
import io.lambdafs.rpc.auth.Secret;
import java.time.Instant;
import java.time.InstantSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

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
    void shouldRefuseAKeyThatLeavesTheStore() {
        BlockToken climbing = new BlockToken(BlockToken.Mode.READ, BLOCK, "blocks", "blocks/../../etc/passwd", 5_000);

        assertRefused(ErrorCode.UNAUTHENTICATED, () -> tokens.verify(tokens.mint(climbing), BlockToken.Mode.READ));
    }
}
