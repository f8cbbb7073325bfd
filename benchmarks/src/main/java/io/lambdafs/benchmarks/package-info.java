/**
 * Micro-benchmarks for single parts of the hot path: paths, placement, the trie, the codec, the lock table. Each
 * benchmark is one JMH method; the README of this module says how to run them. {@code lambdafs bench micro} measures
 * whole operations.
 */
@NullMarked
package io.lambdafs.benchmarks;

import org.jspecify.annotations.NullMarked;
