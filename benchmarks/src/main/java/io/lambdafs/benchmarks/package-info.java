/**
 * What single parts of the hot path cost: paths, placement, the trie, the codec, the lock table. Each benchmark is one JMH method; the
 * README beside this module's sources says how to run them. What a whole operation costs, {@code lambdafs bench micro} measures.
 */
@NullMarked
package io.lambdafs.benchmarks;

import org.jspecify.annotations.NullMarked;
