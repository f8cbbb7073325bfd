package io.lambdafs.datanode;

import io.lambdafs.rpc.fuzz.Replay;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The fuzz target on its seeds and on mutations of these. */
class DecodersReplayTest {
    @Test
    void shouldReadWhatWasWrittenOrSayThatItIsDamaged() throws IOException {
        Replay.of(ObjectFuzz.class, ObjectFuzz::fuzzerTestOneInput);
    }
}
