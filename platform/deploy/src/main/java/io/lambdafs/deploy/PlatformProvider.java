package io.lambdafs.deploy;

import java.util.Set;

/** A kind of platform, found by {@link java.util.ServiceLoader}. Stateless. */
public interface PlatformProvider {
    /** As {@code --platform} names it. */
    String name();

    /** The keys of {@link Target#options} that it takes. Others are refused before it is opened. */
    Set<String> options();

    /**
     * Opens it; nothing is asked yet.
     *
     * @throws DeployFailure the target makes no sense, or a file of it cannot be read
     */
    Platform open(Target target);
}
