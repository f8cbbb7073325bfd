/**
 * {@code lambdafs bench roundtrip}: measures the cost of a cached stat beyond its two messages. One thread alternates,
 * in turns, between blocking stats on λFS's own interface and bare exchanges of equally many bytes over Netty with
 * another process.
 */
@NullMarked
package io.lambdafs.benchmarks.roundtrip;

import org.jspecify.annotations.NullMarked;
