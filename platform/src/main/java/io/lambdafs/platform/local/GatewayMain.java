package io.lambdafs.platform.local;

import io.lambdafs.platform.local.instance.ProcessLauncher;
import io.lambdafs.rpc.DeathWatch;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.http.HttpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway as a process. Its single argument is a JSON file with {@link GatewayConfig}'s keys. SIGTERM ends it and its
 * children in order. Exit codes: 143 after SIGTERM, 70 a thread of it died, 2 wrong usage or configuration, 3 an address or directory that cannot be had.
 */
public final class GatewayMain {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayMain.class);
    private static final int USAGE = 2;
    private static final int UNAVAILABLE = 3;
    private static final int THREADS = Math.max(4, Runtime.getRuntime().availableProcessors() * 2);
    private static final int MAX_QUEUED_TASKS = 1 << 16;

    private final SystemScheduler scheduler;
    private final HttpClient http;
    private final ProcessLauncher launcher;
    private final Gateway gateway;

    private GatewayMain(SystemScheduler scheduler, HttpClient http, ProcessLauncher launcher, Gateway gateway) {
        this.scheduler = scheduler;
        this.http = http;
        this.launcher = launcher;
        this.gateway = gateway;
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 1) {
            System.err.println("usage: GatewayMain CONFIG.json");
            System.exit(USAGE);
        }
        DeathWatch.endProcess();
        try {
            GatewayMain main = start(GatewayConfig.load(Path.of(arguments[0]), System.getenv()));
            Runtime.getRuntime().addShutdownHook(new Thread(main::close, "gateway-close"));
        } catch (ConfigException e) {
            System.err.println(e.getMessage());
            System.exit(USAGE);
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(UNAVAILABLE);
        }
        new CountDownLatch(1).await(); // Until a signal's shutdown hook has closed everything.
    }

    private static GatewayMain start(GatewayConfig config) throws IOException {
        SystemScheduler scheduler = new SystemScheduler("gateway", THREADS, MAX_QUEUED_TASKS);
        HttpClient http = new HttpClient(scheduler);
        ProcessLauncher launcher = ProcessLauncher.open(
                new ProcessLauncher.Settings(
                        config.kinds(),
                        config.directory(),
                        config.logs(),
                        config.maxLogBytes(),
                        config.startLimit(),
                        config.pool().stopGrace()),
                scheduler,
                http);
        try {
            Gateway gateway = Gateway.start(config, launcher, scheduler);
            if (config.portFile().isPresent()) {
                writePort(config.portFile().get(), gateway.port());
            }
            return new GatewayMain(scheduler, http, launcher, gateway);
        } catch (IOException | RuntimeException e) {
            launcher.close();
            throw e;
        }
    }

    private static void writePort(Path file, int port) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(temporary, port + "\n");
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void close() {
        LOG.info("Gateway stops");
        gateway.close();
        launcher.close();
        http.close();
        scheduler.close();
    }
}
