package io.lambdafs.model;

/**
 * What the rest of λFS may know of the FaaS platform that it runs on. Immutable.
 *
 * @param instancesReachable whether instances can open connections to each other
 * @param suspends whether an instance is frozen between invocations
 * @param maxInvocationMillis how long one invocation may run
 */
public record PlatformCapabilities(boolean instancesReachable, boolean suspends, long maxInvocationMillis) {
    public static final PlatformCapabilities LOCAL = new PlatformCapabilities(true, false, 300_000);
}
