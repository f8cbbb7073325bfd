package io.lambdafs.rpc;

import io.lambdafs.rpc.block.BlockMessagesFuzz;
import io.lambdafs.rpc.block.BlockTokenFuzz;
import io.lambdafs.rpc.fuzz.Replay;
import io.lambdafs.rpc.kryonet.KryoObjectsFuzz;
import io.lambdafs.rpc.message.RpcMessagesFuzz;
import io.lambdafs.rpc.netty.FramesFuzz;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The fuzz targets on their seeds and on mutations of these. */
class DecodersReplayTest {
    @Test
    void shouldReadOrRefuseMessages() throws IOException {
        Replay.of(RpcMessagesFuzz.class, RpcMessagesFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldReadOrRefusePaths() throws IOException {
        Replay.of(FsPathFuzz.class, FsPathFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldReadOrRefuseFrames() throws IOException {
        Replay.of(FramesFuzz.class, FramesFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldReadOrRefuseObjectsOfKryoNet() throws IOException {
        Replay.of(KryoObjectsFuzz.class, KryoObjectsFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldReadOrRefuseMessagesAboutBlocks() throws IOException {
        Replay.of(BlockMessagesFuzz.class, BlockMessagesFuzz::fuzzerTestOneInput);
    }

    @Test
    void shouldReadOrRefuseBlockTokens() throws IOException {
        Replay.of(BlockTokenFuzz.class, BlockTokenFuzz::fuzzerTestOneInput);
    }
}
