package io.lambdafs.hammer.coldstart;

import io.lambdafs.cluster.process.Jdk;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A subject of the comparison: clusters with the same settings and with instances on the same JDK. Immutable.
 *
 * @param conf settings; null for the defaults
 */
record Setup(Jdk jdk, @Nullable Path conf) {
    String label() {
        return conf == null ? jdk.version().toString() : jdk.version() + " " + conf.getFileName();
    }
}
