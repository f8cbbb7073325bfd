/**
 * {@code lambdafs bench coherence}: what it costs a write that other instances cache what it changes. Two clusters of equally many
 * instances of one deployment, of which those of one cache nothing, measured in turns by the same driver.
 */
@NullMarked
package io.lambdafs.benchmarks.coherence;

import org.jspecify.annotations.NullMarked;
