package io.lambdafs.store.embedded;

import io.lambdafs.rpc.fuzz.Replay;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The fuzz target on its seeds and on mutations of these. */
class DecodersReplayTest {
    @Test
    void shouldReadRowsOrSayThatTheyAreDamaged() throws IOException {
        Replay.of(PersistedRowsFuzz.class, PersistedRowsFuzz::fuzzerTestOneInput);
    }
}
