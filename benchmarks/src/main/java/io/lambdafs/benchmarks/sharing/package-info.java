/**
 * Sharing of connections between processes: {@code lambdafs share} runs a permanent process that lends its connections;
 * {@code lambdafs bench sharing} measures the gain for short processes that borrow them, each task a process of its
 * own, in turns without and with sharing.
 */
@NullMarked
package io.lambdafs.benchmarks.sharing;

import org.jspecify.annotations.NullMarked;
