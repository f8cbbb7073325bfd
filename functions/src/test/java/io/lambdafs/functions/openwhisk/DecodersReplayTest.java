package io.lambdafs.functions.openwhisk;

import io.lambdafs.coordinator.zookeeper.MemberDataFuzz;
import io.lambdafs.rpc.fuzz.Replay;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fuzz targets on their seeds and on mutations of these. */
@Tag("once")
class DecodersReplayTest {
    @Test
    void shouldReadOrRefuseBodies() throws IOException {
        Replay.of(ActionBodyFuzz.class, ActionBodyFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldReadOrRefuseMessagesOfInstances() throws IOException {
        Replay.of(CoordinatorMessagesFuzz.class, CoordinatorMessagesFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldReadOrRefuseMembers() throws IOException {
        Replay.of(MemberDataFuzz.class, MemberDataFuzz::fuzzerTestOneInput);
    }
}
