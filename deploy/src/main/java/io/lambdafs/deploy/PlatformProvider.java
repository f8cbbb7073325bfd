package io.lambdafs.deploy;

import java.util.Set;

/** A kind of platform, found by {@link java.util.ServiceLoader}. Stateless. */
public interface PlatformProvider {
    /** Returns its name in {@code --platform}. */
    String name();

    /** Returns the accepted keys of {@link Target#options}. Others are refused before it is opened. */
    Set<String> options();

    /**
     * Opens the platform without contacting it.
     *
     * @throws DeployFailure if the target is invalid or a file of it unreadable
     */
    Platform open(Target target);
}
