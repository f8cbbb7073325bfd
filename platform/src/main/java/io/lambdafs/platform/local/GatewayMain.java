package io.lambdafs.platform.local;

import io.lambdafs.platform.local.instance.Criu;
import io.lambdafs.platform.local.instance.ProcessLauncher;
import io.lambdafs.rpc.ServiceMain;
import java.io.IOException;

/**
 * The main class of the gateway process. Its only argument is a JSON file with {@link GatewayConfig}'s keys. SIGTERM
 * ends it and its children in order. Exit codes: 143 after SIGTERM, 70 if a thread died, 2 for wrong usage or
 * configuration, 3 for an unavailable address or directory.
 */
public final class GatewayMain {
    private GatewayMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(GatewayMain.class, arguments, file -> start(GatewayProcess.configuration(file))::close);
    }

    private static GatewayProcess start(GatewayConfig config) throws IOException {
        ProcessLauncher.Settings settings = new ProcessLauncher.Settings(
                config.kinds(),
                config.directory(),
                config.logs(),
                config.maxLogBytes(),
                config.startLimit(),
                config.tls().isPresent(),
                config.pool().stopGrace());
        return GatewayProcess.start(
                config,
                (scheduler, http) -> config.snapshots().isEmpty()
                        ? ProcessLauncher.open(settings, scheduler, http)
                        : ProcessLauncher.open(
                                settings,
                                scheduler,
                                http,
                                Criu.find(System.getenv()).engine(),
                                config.snapshots().get()),
                KnownActions.in(config.directory()));
    }
}
