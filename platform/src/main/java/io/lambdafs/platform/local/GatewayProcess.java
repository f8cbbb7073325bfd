package io.lambdafs.platform.local;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.tls.Tls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway with its threads and connections, for any platform of instances. Thread-safe. */
public final class GatewayProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayProcess.class);
    private static final int THREADS = Math.max(4, Runtime.getRuntime().availableProcessors() * 2);
    private static final int MAX_QUEUED_TASKS = 1 << 16;

    private final SystemScheduler scheduler;
    private final HttpClient http;
    private final InstanceLauncher launcher;
    private final Gateway gateway;
    private final KnownActions known;

    private GatewayProcess(
            SystemScheduler scheduler,
            HttpClient http,
            InstanceLauncher launcher,
            Gateway gateway,
            KnownActions known) {
        this.scheduler = scheduler;
        this.http = http;
        this.launcher = launcher;
        this.gateway = gateway;
        this.known = known;
    }

    /** Opens the launcher of instances. */
    @FunctionalInterface
    public interface Platform {
        /** @param http client for calls to instances */
        InstanceLauncher open(Scheduler scheduler, HttpClient http) throws IOException;
    }

    /**
     * Reads a gateway's configuration.
     *
     * @throws IllegalArgumentException naming the file and the error
     */
    public static GatewayConfig configuration(Path file) {
        try {
            return GatewayConfig.load(file, System.getenv());
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Starts a gateway.
     *
     * @param known actions registered before it listens
     * @throws IOException if an address or a resource of the platform is unavailable
     */
    public static GatewayProcess start(GatewayConfig config, Platform platform, KnownActions known) throws IOException {
        SystemScheduler scheduler = new SystemScheduler("gateway", THREADS, MAX_QUEUED_TASKS);
        Optional<Tls> tls = config.tls().map(Tls::of);
        // An instance may have any address.
        HttpClient http = new HttpClient(scheduler, tls, Optional.of(Tls.INSTANCE));
        InstanceLauncher launcher = platform.open(scheduler, http);
        try {
            Gateway gateway = Gateway.start(config, tls, launcher, scheduler, known);
            if (config.portFile().isPresent()) {
                ServiceMain.writePort(config.portFile().get(), gateway.port());
            }
            return new GatewayProcess(scheduler, http, launcher, gateway, known);
        } catch (IOException | RuntimeException e) {
            launcher.close();
            throw e;
        }
    }

    public Gateway gateway() {
        return gateway;
    }

    /** Ends its instances, then itself, in order. */
    @Override
    public void close() {
        LOG.info("Gateway stops");
        gateway.close();
        known.forget();
        launcher.close();
        http.close();
        scheduler.close();
    }
}
