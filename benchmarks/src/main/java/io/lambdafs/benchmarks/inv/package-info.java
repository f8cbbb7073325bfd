/**
 * {@code lambdafs bench inv}: measures a write with each coordinator and each channel for invalidations, on four small
 * clusters in turns, so that other load on the machine affects all alike.
 */
@NullMarked
package io.lambdafs.benchmarks.inv;

import org.jspecify.annotations.NullMarked;
