/**
 * What an instance shows of itself: counters that cost a few nanoseconds where things happen, and a Prometheus page that is made of them
 * when somebody asks.
 */
@NullMarked
package io.lambdafs.functions.metrics;

import org.jspecify.annotations.NullMarked;
