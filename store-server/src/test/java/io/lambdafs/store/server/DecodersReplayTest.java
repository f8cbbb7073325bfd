package io.lambdafs.store.server;

import io.lambdafs.rpc.fuzz.Replay;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The fuzz target on its seeds and on mutations of these. */
class DecodersReplayTest {
    @Test
    void shouldReadOrRefuseMessages() throws IOException {
        Replay.of(StoreMessagesFuzz.class, StoreMessagesFuzz::fuzzerTestOneInput);
    }
}
