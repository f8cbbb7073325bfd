package io.lambdafs.rpc.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.fuzz.Finding;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;

/** Block tokens where no signature stands before their fields: in insecure mode. */
public final class BlockTokenFuzz {
    private static final BlockTokens TOKENS = BlockTokens.of(null, () -> Instant.EPOCH);
    private static final Set<ErrorCode> REFUSALS =
            Set.of(ErrorCode.UNAUTHENTICATED, ErrorCode.TOKEN_EXPIRED, ErrorCode.PERMISSION_DENIED);

    private BlockTokenFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        BlockToken token;
        try {
            token = TOKENS.verify(input, BlockToken.Mode.READ);
        } catch (FsException refusal) {
            if (!REFUSALS.contains(refusal.code())) {
                throw refusal;
            }
            return;
        }
        byte[] minted = TOKENS.mint(token);
        BlockToken again = TOKENS.verify(minted, BlockToken.Mode.READ);
        if (!again.equals(token) || !Arrays.equals(TOKENS.mint(again), minted)) {
            throw new Finding("read again it is another token: " + token);
        }
    }
}
