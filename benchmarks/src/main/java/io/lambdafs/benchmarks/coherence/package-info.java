/**
 * {@code lambdafs bench coherence}: measures what coherence costs a write. One driver measures two clusters in turns,
 * each with equally many instances of one deployment; the instances of one cluster cache nothing.
 */
@NullMarked
package io.lambdafs.benchmarks.coherence;

import org.jspecify.annotations.NullMarked;
