package io.lambdafs.platform.local.pool;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * An instance in the management API. Immutable.
 *
 * @param deployment its action; empty for a prewarmed one
 * @param cacheHits reads answered from its cache, at most a second old
 * @param coldStartMillis time from the decision to start it, or to use a prewarmed one, until ready; empty before
 * @param ofSteadyCost CPU time per operation of late as a multiple of the steady one; of a prewarmed one 1 once it has
 *     rehearsed; empty if not told, 0 if not measured
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
        OptionalLong coldStartMillis,
        OptionalDouble ofSteadyCost) {}
