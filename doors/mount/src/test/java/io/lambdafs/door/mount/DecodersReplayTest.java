package io.lambdafs.door.mount;

import io.lambdafs.door.mount.wire.RequestFuzz;
import io.lambdafs.rpc.fuzz.Replay;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The fuzz targets on their seeds and on mutations of these. */
class DecodersReplayTest {
    @Test
    void shouldReadOrRefuseRequests() throws IOException {
        Replay.of(RequestFuzz.class, RequestFuzz::fuzzerTestOneInput);
    }
}
