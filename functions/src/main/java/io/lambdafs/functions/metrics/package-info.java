/**
 * An instance's metrics: counters that cost a few nanoseconds per event, and a Prometheus page built from them on
 * request.
 */
@NullMarked
package io.lambdafs.functions.metrics;

import org.jspecify.annotations.NullMarked;
