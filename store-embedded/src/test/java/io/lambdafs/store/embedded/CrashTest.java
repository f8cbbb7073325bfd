package io.lambdafs.store.embedded;

import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store server is killed under load, again and again, and must have everything that it acknowledged and nothing by halves.
 * Every second time its log is cut back to the watermark first, as a power failure would. More rounds:
 * {@code -Dlambdafs.crash.rounds=100}.
 */
@Tag("once")
@Tag("slow")
class CrashTest {
    private static final int ROUNDS = Integer.getInteger("lambdafs.crash.rounds", 6);

    @TempDir
    private Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("crash-test", 2, 1 << 16);
    private final NettyTransport transport =
            new NettyTransport(StoreMessages.codec(), 1, "crash-test", TransportLimits.DEFAULT);

    @AfterEach
    void close() {
        transport.close();
        scheduler.close();
    }

    @Test
    void shouldKeepWhatWasAcknowledgedThroughEveryKill() throws Exception {
        Path secretFile = folder.resolve("secret");
        Tokens tokens = Tokens.signed(Secret.loadOrCreate(secretFile));
        Path data = folder.resolve("data");
        // Small memtables, so that kills also meet switches of the log.
        String keys =
                "\"directory\": \"" + data + "\", \"secretFile\": \"" + secretFile + "\", \"memtableBytes\": 262144";
        CountingLoad load = new CountingLoad();
        Random random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            try (StoreProcess process = StoreProcess.start(folder, keys)) {
                StoreClient client = StoreClient.connect(transport, scheduler, process.address(), tokens);
                load.runUntilKilled(client, process, 200 + random.nextInt(4_000));
                client.close();
            }
            if (round % 2 == 1) {
                WalWatermark.cutBack(data);
            }
            load.verify(scheduler, data, round);
        }
    }
}
