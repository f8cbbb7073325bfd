package io.lambdafs.platform.local.pool;

import java.util.OptionalLong;

/**
 * An instance as the management API shows it. Immutable.
 *
 * @param deployment its action; empty for a prewarmed one
 * @param cacheHits reads that its cache answered, as it told last: a second ago at most
 * @param coldStartMillis from the decision to start it, or to use a prewarmed one, until it was ready; empty before
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
