package io.lambdafs.store.embedded;

import io.lambdafs.rpc.fuzz.Replay;
import io.lambdafs.store.embedded.server.StoreMessagesFuzz;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The fuzz targets on their seeds and on mutations of these. */
class DecodersReplayTest {
    @Test
    void shouldReadOrRefuseMessages() throws IOException {
        Replay.of(StoreMessagesFuzz.class, StoreMessagesFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldReadRowsOrSayThatTheyAreDamaged() throws IOException {
        Replay.of(PersistedRowsFuzz.class, PersistedRowsFuzz::fuzzerTestOneInput);
    }
}
