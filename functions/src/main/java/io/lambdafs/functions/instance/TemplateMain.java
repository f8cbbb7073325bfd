package io.lambdafs.functions.instance;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.openwhisk.AwaitingServer;
import io.lambdafs.functions.openwhisk.StartTimes;
import io.lambdafs.functions.serving.Steadiness;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.DeathWatch;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.memory.MemoryStore;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Main class of a process from whose image instances are restored: rehearses on a store of its own until its code is
 * compiled, closes everything, makes the file that its only argument names, and waits for a {@link Letter} on its
 * standard input. The image is taken while it waits. It knows no cluster, so that the image holds no secret, id, port or
 * connection; who is restored from it reads in the letter who it is, and ends some time after its standard input does.
 */
public final class TemplateMain {
    private static final long REHEARSAL_SECONDS = 120;
    private static final int QUEUE = 1_024;
    private static final int DEPLOYMENTS = 4;
    private static final int EXIT_USAGE = 64;

    private TemplateMain() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: TemplateMain FILE");
            System.exit(EXIT_USAGE);
        }
        DeathWatch.endProcess();
        Steadiness reached = rehearse();
        // Leftovers would be restored, too.
        System.gc();
        Files.createFile(Path.of(args[0]));
        Map<String, String> letter;
        try {
            letter = Letter.read(System.in);
        } catch (EOFException nobody) {
            return;
        }
        ActionMain.serve(birth(letter, System.in, reached));
    }

    private static ActionMain.Birth birth(Map<String, String> letter, InputStream parent, Steadiness reached) {
        StartTimes times = new StartTimes(InstantSource.system());
        times.reached(StartTimes.Step.MAIN);
        return new ActionMain.Birth(letter, parent, reached.anew(), times);
    }

    /** Rehearses, and leaves no thread, socket or file. */
    private static Steadiness rehearse() throws IOException {
        SystemScheduler scheduler = new SystemScheduler("template", 2, QUEUE);
        Transport transport = new NettyTransport(StoreMessages.codec(), 1, "template-loop", TransportLimits.DEFAULT);
        Steadiness reached = new Steadiness();
        try (MemoryStore store = new MemoryStore(scheduler)) {
            StoreServer server = StoreServer.start(
                            store, transport, Tokens.insecure(), new InetSocketAddress(Hosts.loopback(), 0))
                    .toCompletableFuture()
                    .get(REHEARSAL_SECONDS, TimeUnit.SECONDS);
            rehearse(config(server.address().getPort()), reached);
        } catch (ExecutionException | TimeoutException e) {
            throw new FsException(ErrorCode.INTERNAL, "the rehearsal did not end: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            transport.close();
            scheduler.close();
        }
        return reached;
    }

    private static void rehearse(FunctionConfig config, Steadiness reached)
            throws IOException, ExecutionException, TimeoutException, InterruptedException {
        ActionEnvironment nobody = new ActionEnvironment(
                0,
                null,
                null,
                InstanceConfiguration.of(Map.of()),
                Hosts.loopback(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                0,
                "template",
                false);
        InstanceRuntime runtime = new InstanceRuntime(config, Map.of(), reached);
        AwaitingServer.Opened opened = ActionMain.open(nobody, runtime, new StartTimes(InstantSource.system()));
        // Closes the runtime, too.
        try (ActionMain main = ActionMain.start(
                nobody, runtime.listening(), new AwaitingServer(opened), new StartTimes(InstantSource.system()))) {
            runtime.rehearse(new Rehearsal.OwnServer(main.port(), null), () -> true)
                    .get(REHEARSAL_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static FunctionConfig config(int storePort) {
        return new FunctionConfig(
                "template",
                DEPLOYMENTS,
                "template",
                new FunctionConfig.Endpoints(Hosts.loopback(), storePort, Hosts.loopback(), Hosts.loopback(), true),
                FunctionConfig.Coordination.BY_STORE,
                null,
                true,
                FunctionConfig.Limits.DEFAULT,
                Times.DEFAULT,
                "WARN");
    }
}
