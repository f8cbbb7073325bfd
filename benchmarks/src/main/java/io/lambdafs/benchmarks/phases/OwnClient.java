package io.lambdafs.benchmarks.phases;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.hammer.phases.PhaseTarget;
import java.nio.file.Path;

/** λFS's own client; a class by itself, for it is not on the class path where others are measured. Stateless. */
final class OwnClient {
    private OwnClient() {}

    /** Opens one for the process's life. */
    static PhaseTarget open(Path configuration) {
        return PhaseTarget.of(LambdaFs.open(ClientConfig.load(configuration))::execute);
    }
}
