package io.lambdafs.platform;

import io.lambdafs.rpc.fuzz.Replay;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The fuzz target on its seeds and on mutations of these. */
class DecodersReplayTest {
    @Test
    void shouldReadOrRefuseBodies() throws IOException {
        Replay.of(GatewayBodyFuzz.class, GatewayBodyFuzz::fuzzerTestOneInput);
    }
}
