package io.lambdafs.benchmarks.phases;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.hammer.phases.PhaseTarget;
import java.nio.file.Path;

/**
 * Opens λFS's own client; a separate class, as the client is not on the class path of other file systems. Stateless.
 */
final class OwnClient {
    private OwnClient() {}

    /** Opens a client for the process's lifetime. */
    static PhaseTarget open(Path configuration) {
        return PhaseTarget.of(LambdaFs.open(ClientConfig.load(configuration))::execute);
    }
}
