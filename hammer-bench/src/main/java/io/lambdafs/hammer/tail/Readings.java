package io.lambdafs.hammer.tail;

/**
 * Counters of client, gateway and stopped instances. Immutable.
 *
 * @param stops number of times that an instance was stopped
 * @param stragglers attempts given up and repeated elsewhere
 * @param thrashings number of times that anti-thrashing mode began
 * @param strays requests to instances of other deployments
 * @param http requests by HTTP
 * @param starts number of instances started
 * @param usd pay-per-use cost
 */
record Readings(long stops, long stragglers, long thrashings, long strays, long http, long starts, double usd) {
    /**
     * Returns the difference from earlier ones, except for anti-thrashing mode, which lasts: of its beginnings it keeps
     * all.
     */
    Readings since(Readings earlier) {
        return new Readings(
                stops - earlier.stops,
                stragglers - earlier.stragglers,
                thrashings,
                strays - earlier.strays,
                http - earlier.http,
                starts - earlier.starts,
                usd - earlier.usd);
    }
}
