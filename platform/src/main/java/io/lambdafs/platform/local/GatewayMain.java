package io.lambdafs.platform.local;

import io.lambdafs.platform.local.instance.ProcessLauncher;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.tls.Tls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway as a process. Its single argument is a JSON file with {@link GatewayConfig}'s keys. SIGTERM ends it and its
 * children in order. Exit codes: 143 after SIGTERM, 70 a thread of it died, 2 wrong usage or configuration, 3 an address or directory that cannot be had.
 */
public final class GatewayMain {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayMain.class);
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
        ServiceMain.run(GatewayMain.class, arguments, file -> start(configuration(file))::close);
    }

    private static GatewayConfig configuration(Path file) {
        try {
            return GatewayConfig.load(file, System.getenv());
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static GatewayMain start(GatewayConfig config) throws IOException {
        SystemScheduler scheduler = new SystemScheduler("gateway", THREADS, MAX_QUEUED_TASKS);
        Optional<Tls> tls = config.tls().map(Tls::of);
        HttpClient http = new HttpClient(scheduler, tls);
        ProcessLauncher launcher = ProcessLauncher.open(
                new ProcessLauncher.Settings(
                        config.kinds(),
                        config.directory(),
                        config.logs(),
                        config.maxLogBytes(),
                        config.startLimit(),
                        tls.isPresent(),
                        config.pool().stopGrace()),
                scheduler,
                http);
        try {
            Gateway gateway = Gateway.start(config, tls, launcher, scheduler);
            if (config.portFile().isPresent()) {
                ServiceMain.writePort(config.portFile().get(), gateway.port());
            }
            return new GatewayMain(scheduler, http, launcher, gateway);
        } catch (IOException | RuntimeException e) {
            launcher.close();
            throw e;
        }
    }

    private void close() {
        LOG.info("Gateway stops");
        gateway.close();
        launcher.close();
        http.close();
        scheduler.close();
    }
}
