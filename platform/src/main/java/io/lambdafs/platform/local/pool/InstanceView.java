package io.lambdafs.platform.local.pool;

import java.util.OptionalLong;

/**
 * An instance in the management API. Immutable.
 *
 * @param deployment its action; empty for a prewarmed one
 * @param cacheHits reads answered from its cache, at most a second old
 * @param coldStartMillis time from the decision to start it, or to use a prewarmed one, until ready; empty before
 */
public record InstanceView(
        String deployment,
        String id,
        OptionalLong pid,
        String state,
        String endpoint,
        long ageMillis,
        long activations,
        int inFlight,
        long billedMillis,
        long cacheHits,
        OptionalLong coldStartMillis) {}
