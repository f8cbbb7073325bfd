package io.lambdafs.door.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.rpc.auth.Secret;
import java.time.Duration;
import java.time.Instant;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

class BlockSealsTest {
    private static final BlockSeals.Sealed READ = new BlockSeals.Sealed(false, "alice", "/f", 7, 70, 1_024, 512);

    private Instant now = Instant.EPOCH;
    private final Secret secret = Secret.generate();
    private final BlockSeals seals = new BlockSeals(secret, () -> now);
    private final Token<BlockTokenIdentifier> token = seals.seal(READ);

    @Test
    void shouldOpenWhatAnyDoorOfTheClusterHasSealed() throws Exception {
        BlockSeals other = new BlockSeals(secret, () -> now);

        assertThat(other.open(token.getIdentifier(), token.getPassword(), 70, false))
                .isEqualTo(READ);
    }

    @Test
    void shouldRefuseAnotherBlockAndAnotherUse() {
        assertThatThrownBy(() -> seals.open(token.getIdentifier(), token.getPassword(), 71, false))
                .isInstanceOf(InvalidBlockTokenException.class);
        assertThatThrownBy(() -> seals.open(token.getIdentifier(), token.getPassword(), 70, true))
                .isInstanceOf(InvalidBlockTokenException.class);
    }

    @Test
    void shouldRefuseWhatWasChangedOrSealedElsewhere() {
        byte[] changed = token.getIdentifier().clone();
        changed[changed.length - 1]++;
        Token<BlockTokenIdentifier> foreign = new BlockSeals(Secret.generate(), () -> now).seal(READ);

        assertThatThrownBy(() -> seals.open(changed, token.getPassword(), 70, false))
                .isInstanceOf(InvalidBlockTokenException.class);
        assertThatThrownBy(() -> seals.open(foreign.getIdentifier(), foreign.getPassword(), 70, false))
                .isInstanceOf(InvalidBlockTokenException.class);
        assertThatThrownBy(() -> seals.open(new byte[0], new byte[0], 70, false))
                .isInstanceOf(InvalidBlockTokenException.class);
    }

    @Test
    void shouldRefuseAnOldOne() {
        now = now.plus(Duration.ofHours(2));

        assertThatThrownBy(() -> seals.open(token.getIdentifier(), token.getPassword(), 70, false))
                .isInstanceOf(InvalidBlockTokenException.class)
                .hasMessageContaining("too old");
    }
}
