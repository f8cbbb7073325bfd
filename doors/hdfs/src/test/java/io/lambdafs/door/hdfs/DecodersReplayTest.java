package io.lambdafs.door.hdfs;

import io.lambdafs.door.hdfs.data.DataRequestFuzz;
import io.lambdafs.door.hdfs.data.PacketFuzz;
import io.lambdafs.rpc.fuzz.Replay;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The fuzz targets on their seeds and on mutations of these. */
class DecodersReplayTest {
    @Test
    void shouldReadOrRefusePackets() throws IOException {
        Replay.of(PacketFuzz.class, PacketFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldReadOrRefuseRequestsOfTheDataPort() throws IOException {
        Replay.of(DataRequestFuzz.class, DataRequestFuzz::fuzzerTestOneInput);
    }
}
